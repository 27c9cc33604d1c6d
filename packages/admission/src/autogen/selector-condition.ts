// A label selector as a match condition. An objectSelector matches the labels of the object itself, which for a workload are
// not those its pods will have; a condition can match the template's.

import { callNode as call, type Expr, literalNode as literal, unparseWritten } from "@celadon/cel/ast";
import type { LabelSelector, Requirement } from "@celadon/kube/selectors";
import { ident, list, method, read, readAll } from "./written-tree.ts";

/** Selected by the labels of the new object or of the old one, as an objectSelector. */
export function selectorCondition(selector: LabelSelector, template: readonly string[]): string {
  return unparseWritten(
    call("_||_", selected(ident("object"), selector, template), selected(ident("oldObject"), selector, template)),
  );
}

function selected(object: Expr, { requirements }: LabelSelector, template: readonly string[]): Expr {
  const labels = read(
    "optionalSelect",
    read("optionalSelect", readAll("select", object, template), "metadata"),
    "labels",
  );
  const terms = [call("_!=_", object, literal(null)), ...requirements.map((requirement) => holds(requirement, labels))];
  return conjunction(terms);
}

// Balanced as the parser would, so that it prints without parentheses.
function conjunction(terms: readonly Expr[]): Expr {
  if (terms.length === 1) return terms[0]!;
  const half = (terms.length + 1) >> 1;
  return call("_&&_", conjunction(terms.slice(0, half)), conjunction(terms.slice(half)));
}

/** Without the label, an empty string matches only if it is listed: then the label's presence is checked first. */
function holds({ key, operator, values }: Requirement, labels: Expr): Expr {
  const label = read("optionalIndex", labels, key);
  const present = method(label, "hasValue");
  const value = method(label, "orValue", literal(""));
  const [only] = values;
  const listed =
    values.length === 1 ? call("_==_", value, literal(only!)) : call("@in", value, list(values.map((v) => literal(v))));
  switch (operator) {
    case "exists":
      return present;
    case "!":
      return call("!_", present);
    case "in":
    case "=":
    case "==":
      return values.includes("") ? call("_&&_", present, listed) : listed;
    case "notin":
    case "!=":
      return values.includes("") ? call("_||_", call("!_", present), call("!_", listed)) : call("!_", listed);
    case "gt":
    case "lt":
      throw new Error(`the operator ${operator} is none of a LabelSelector`);
  }
}
