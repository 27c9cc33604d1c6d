// When a value fails all branches, the errors of the one with most checks performed are shown. Checks are counted as in the reference:
// every validator that applies to every value visited, failed or not.

import { isRecord, jsonKind } from "@celadon/base";
import type { ValueNode } from "./validator.ts";

/** The branch with the highest count, the first of equals. Asked only when no branch accepts the value. */
export function bestBranch(branches: readonly ValueNode[], value: unknown): ValueNode | undefined {
  const [first] = branches;
  if (branches.length < 2) return first;
  let best = first;
  let most = -1;
  for (const branch of branches) {
    const count = countChecks(branch, value);
    if (count > most) {
      best = branch;
      most = count;
    }
  }
  return best;
}

/** Its count: every branch is counted once, as branches have branches of their own. */
const bestCount = (branches: readonly ValueNode[], value: unknown): number =>
  branches.reduce((most, branch) => Math.max(most, countChecks(branch, value)), 0);

function countChecks(node: ValueNode, value: unknown): number {
  // Null is seen by the type check and the enum alone, and only the first of them counts.
  if (value === null || value === undefined) return node.acceptsNull() ? 1 : 0;
  const kind = jsonKind(value);
  let count = 1;
  if (node.types.length > 0 || node.format !== "") count += node.typeMismatch(value, kind) === undefined ? 2 : 1;
  count += 2 + countJunctors(node, value);
  count += 1; // enum
  if (kind === "string") count += node.hasFormatCheck ? 2 : 1;
  else if (kind === "integer" || kind === "number") count += 2;
  else if (kind === "array") {
    count += 2;
    const { items } = node;
    if (items) for (const item of value as readonly unknown[]) count += countChecks(items, item);
  } else if (isRecord(value)) {
    count += 1;
    for (const key of Object.keys(value)) {
      const child = node.properties.get(key) ?? node.values;
      if (child) count += countChecks(child, value[key]);
    }
  }
  return count;
}

function countJunctors(node: ValueNode, value: unknown): number {
  let count = 0;
  if (node.anyOf.length > 0) count += countChosen(node.anyOf, value);
  if (node.oneOf.length > 0) {
    const valid = node.oneOf.filter((branch) => branch.accepts(value)).length;
    if (valid < 2) count += countChosen(node.oneOf, value);
  }
  for (const branch of node.allOf) count += countChecks(branch, value);
  return count;
}

/** Counts the errors of the first branch that accepts the value, or else of the best of the others. */
function countChosen(branches: readonly ValueNode[], value: unknown): number {
  const chosen = branches.find((branch) => branch.accepts(value));
  return chosen === undefined ? bestCount(branches, value) : countChecks(chosen, value);
}
