// A finding of the fuzzer as a case of a test suite, ready to be pasted: the smallest input, and the error it makes.

import type { FuzzFinding } from "@celadon/testing";
import { stringify } from "yaml";

/** One element of a suite's `tests`, as YAML. */
export function fuzzCaseYaml(finding: FuzzFinding): string {
  return stringify([suiteCase(finding)], { lineWidth: 0, aliasDuplicateObjects: false });
}

export function suiteCase({ owner, expression, message, case: input }: FuzzFinding): Record<string, unknown> {
  const isPolicy = owner.kind === "ValidatingAdmissionPolicy";
  return {
    name: `${owner.name}: ${expression.kind} ${expression.index} ${message}`.slice(0, 120),
    ...(isPolicy && { policy: owner.name }),
    operation: input.operation,
    // What is deleted is told as the object.
    ...(input.operation === "DELETE" ? { object: input.oldObject } : input.object && { object: input.object }),
    ...(input.operation === "UPDATE" && input.oldObject && { oldObject: input.oldObject }),
    ...(input.params && { params: [input.params] }),
    expect: isPolicy ? "error" : "deny",
  };
}
