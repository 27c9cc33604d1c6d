// anyOf, oneOf, allOf and not: the errors when too few or too many branches match. Branches are never ratcheted by themselves; their node
// is. If errors are not kept, the existence of one is enough: looking for the branch to report at every level of nested branches would take
// time exponential in their depth.

import { bestBranch } from "./best-branch.ts";
import type { ValueProblems } from "./problems.ts";
import type { ValueNode } from "./validator.ts";

export function checkJunctors(node: ValueNode, value: unknown, path: string, problems: ValueProblems): void {
  if (node.anyOf.length > 0 && !node.anyOf.some((branch) => branch.accepts(value))) {
    problems.general(`"${path}" must validate at least one schema (anyOf)`);
    if (!problems.isFull) bestBranch(node.anyOf, value)!.check(value, path, problems);
  }
  if (node.oneOf.length > 0) {
    const valid = node.oneOf.reduce((count, branch) => count + (branch.accepts(value) ? 1 : 0), 0);
    if (valid !== 1) {
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      problems.general(`"${path}" must validate one and only one schema (oneOf). ${found}`);
    }
    if (valid === 0 && !problems.isFull) bestBranch(node.oneOf, value)!.check(value, path, problems);
  }
  if (node.allOf.length > 0) {
    let valid = 0;
    for (const branch of node.allOf) {
      const before = problems.count;
      branch.check(value, path, problems);
      if (problems.count === before) valid++;
    }
    if (valid !== node.allOf.length) {
      problems.general(`"${path}" must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
    }
  }
  if (node.not?.accepts(value)) problems.general(`"${path}" must not validate the schema (not)`);
}
