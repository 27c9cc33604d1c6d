// A plan in one line, for comparing in tests: operations with their operands, names as `g:name` (a variable), `s0` (a slot), `lazy s0`,
// paths as `.a`, `[1]`, `.?a`, `[…]`.

import { show } from "../run/show.testing.ts";
import type { Attr, Qualifier, Root, Step } from "./step.ts";

export function printPlan(step: Step): string {
  const list = (...parts: readonly (Step | undefined)[]): string =>
    parts.flatMap((part) => (part ? [printPlan(part)] : [])).join(", ");
  switch (step.op) {
    case "const":
      return show(step.value);
    case "attr":
      return printAttr(step);
    case "and":
    case "or":
    case "eq":
    case "ne":
      return `${step.op}(${list(step.left, step.right)})`;
    case "call":
      return `${step.overload?.id ?? `${step.name}?`}${step.special ? "!" : ""}(${list(...step.args)})`;
    case "inSet":
      return `inSet(${list(step.arg)}, ${show(step.list)})`;
    case "list":
      return `list(${step.elements.map((element, i) => (step.optional?.[i] ? "?" : "") + printPlan(element)).join(", ")})`;
    case "map":
      return `map(${step.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${printPlan(key)}: ${printPlan(value)}`).join(", ")})`;
    case "struct":
      return `${step.struct.type.name}(${step.fields.map(({ name, value }) => `${name}: ${printPlan(value)}`).join(", ")})`;
    case "optionalOr":
      return `${step.unwrap ? "orValue" : "or"}(${list(step.left, step.right)})`;
    case "all":
    case "exists":
    case "existsOne":
      return `${step.op} ${names(step)} in ${printPlan(step.range)} (${list(step.predicate)})`;
    case "collect":
      return `collect ${names(step)} in ${printPlan(step.range)} (${step.predicate ? `${printPlan(step.predicate)} => ` : ""}${printPlan(step.transform)})`;
    case "collectMap":
      return `collectMap ${names(step)} in ${printPlan(step.range)} (${step.predicate ? `${printPlan(step.predicate)} => ` : ""}${step.key ? `${printPlan(step.key)}: ` : ""}${printPlan(step.transform)})`;
    case "fold":
      return `fold s${step.accu} ${names(step)} in ${printPlan(step.range)} (${list(step.init, step.condition, step.step, step.result)})`;
    case "bind":
      return `bind s${step.slot} (${list(step.body)})`;
    case "block":
      return `block ${step.slots.map((slot) => `s${slot}`).join(" ")} (${list(step.body)})`;
  }
}

const names = ({ slot, slot2 }: { readonly slot: number; readonly slot2: number }): string =>
  `s${slot}${slot2 < 0 ? "" : ` s${slot2}`}`;

function printAttr({ root, path, test }: Attr): string {
  const text = printRoot(root) + path.map(printQualifier).join("");
  return test ? `has(${text})` : text;
}

function printRoot(root: Root): string {
  switch (root.kind) {
    case "global":
      return `g:${root.name}`;
    case "local":
      return `s${root.slot}`;
    case "lazy":
      return `lazy s${root.slot}{${printPlan(root.init)}}`;
    case "value":
      return `(${printPlan(root.step)})`;
    case "conditional":
      return `(${printPlan(root.test)} ? ${printAttr(root.whenTrue)} : ${printAttr(root.whenFalse)})`;
    case "ambiguous":
      return `<${root.candidates.map(({ names: all, taken }) => `${all.map(({ name, constant }) => name + (constant === undefined ? "" : "!")).join("|")}${taken > 0 ? `/${taken}` : ""}`).join("; ")}>`;
  }
}

function printQualifier(qualifier: Qualifier): string {
  const optional = qualifier.optional ? "?" : "";
  if (qualifier.kind === "step") return `[${optional}${printPlan(qualifier.step)}]`;
  return typeof qualifier.key === "string" ? `.${optional}${qualifier.key}` : `[${optional}${show(qualifier.key)}]`;
}
