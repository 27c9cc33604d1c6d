// The fields that the expressions of mutating policies write, as far as the expressions show it: operations that append each time they run,
// and fields that two policies set to different values. Dependencies on the request show when objects are checked.

import { type Expr, unparseWritten, writtenTree } from "@celadon/cel/ast";
import { nameOf } from "@celadon/kube";
import { parsingEnvironment } from "../../compile/parsing-environment.ts";
import type { MutatingAdmissionPolicy, Policy } from "../../policy.ts";
import { expressionFields } from "../expression-fields.ts";
import { finding, type PolicyFinding } from "./finding.ts";
import { canOverlap } from "./rule-overlap.ts";

/** A field that a mutation always sets. */
interface Write {
  readonly policy: MutatingAdmissionPolicy;
  /** The place of the expression. */
  readonly at: readonly (string | number)[];
  /** The path as a JSON pointer. */
  readonly pointer: string;
  readonly value: string;
}

export function mutationFindings(policies: readonly Policy[]): PolicyFinding[] {
  const mutating = policies.filter((policy) => policy.kind === "MutatingAdmissionPolicy");
  const writes = mutating.flatMap(writesOf);
  return [...appending(writes), ...contested(writes)];
}

/** Policies that check first whether it exists do so in a match condition or in the expression. */
function appending(writes: readonly Write[]): PolicyFinding[] {
  return writes.flatMap(({ policy, at, pointer }) => {
    if (!pointer.endsWith("/-") || (policy.spec.matchConditions ?? []).length > 0) return [];
    const text = `the mutation appends to ${pointer.slice(0, -2)} every time it runs, but the API server may run it twice`;
    return [finding(policy, "not_idempotent", at, text)];
  });
}

function contested(writes: readonly Write[]): PolicyFinding[] {
  const found: PolicyFinding[] = [];
  for (const [i, later] of writes.entries()) {
    if (later.pointer.endsWith("/-")) continue;
    const earlier = writes.slice(0, i).find((write) => isContested(write, later));
    if (earlier === undefined) continue;
    const { kind } = earlier.policy;
    const name = nameOf(earlier.policy);
    const text = `mutating policy ${name} writes ${later.pointer} too, but the order of mutations is not defined`;
    const more = { severity: "note", related: { kind, name } } as const;
    found.push(finding(later.policy, "order_dependent", later.at, text, more));
  }
  return found;
}

function isContested(a: Write, b: Write): boolean {
  if (a.pointer !== b.pointer || a.value === b.value || nameOf(a.policy) === nameOf(b.policy)) return false;
  const rules = (write: Write) => write.policy.spec.matchConstraints?.resourceRules ?? [];
  return rules(a).some((rule) => rules(b).some((other) => canOverlap(rule, other, false)));
}

function writesOf(policy: MutatingAdmissionPolicy): Write[] {
  return expressionFields(policy).flatMap(({ kind, path: at, text }): Write[] => {
    if (kind !== "mutation" || text === "") return [];
    const { ast, issues } = parsingEnvironment().parse({ name: "<input>", text });
    if (ast === undefined || issues.length > 0) return [];
    const root = writtenTree(ast);
    const written = at.includes("jsonPatch") ? [...operations(root)] : [...fields(root, "")];
    return written.map(([pointer, value]) => ({ policy, at, pointer, value: unparseWritten(value) }));
  });
}

type Written = readonly [pointer: string, value: Expr];

/** Members of literals, down to computed values. Lists are merged by keys, which are not checked. */
function* fields(expr: Expr, pointer: string): Generator<Written> {
  if (expr.kind === "struct") {
    for (const { name, value, optional } of expr.fields)
      if (!optional) yield* fields(value, `${pointer}/${escaped(name)}`);
  } else if (expr.kind === "map") {
    for (const { key, value, optional } of expr.entries) {
      const name = textOf(key);
      if (!optional && name !== undefined) yield* fields(value, `${pointer}/${escaped(name)}`);
    }
  } else if (expr.kind !== "list" && pointer !== "") yield [pointer, expr];
}

/** Operations of a list that is written out, or of several joined, that set something at a place that is written out. */
function* operations(expr: Expr): Generator<Written> {
  if (expr.kind === "call" && expr.function === "_+_") {
    for (const part of expr.args) yield* operations(part);
  }
  if (expr.kind !== "list") return;
  for (const [i, element] of expr.elements.entries()) {
    if (element.kind !== "struct" || expr.optional.includes(i)) continue;
    const field = (name: string): Expr | undefined =>
      element.fields.find((structField) => structField.name === name)?.value;
    const [op, path, value] = [textOf(field("op")), textOf(field("path")), field("value")];
    if ((op === "add" || op === "replace") && path !== undefined && value !== undefined) yield [path, value];
  }
}

const textOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === "literal" && typeof expr.value === "string" ? expr.value : undefined;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
