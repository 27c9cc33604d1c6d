// Strict type checking: a type error that the API server only notes in a policy's status rejects the policy when it is written.

import { valueAt } from "@celadon/base";
import { type FieldError, invalidValue } from "@celadon/kube/errors";
import type { ValidatingAdmissionPolicy } from "../../policy.ts";
import type { Gates } from "../../proposals/gates.ts";
import type { TypeSource } from "./kinds-to-check.ts";
import { byExpression, checkTypes } from "./type-check.ts";

/** An error for each pair of expression and kind that do not fit together. Kinds without a schema are skipped. */
export async function validateTypes(
  policy: ValidatingAdmissionPolicy,
  source: TypeSource,
  gates: Gates,
): Promise<FieldError[]> {
  if (!gates.StrictTypeChecking) return [];
  const { warnings } = await checkTypes(policy, source, { beyond: false });
  return byExpression(warnings).map(({ path, warning }) =>
    invalidValue(path, valueAt(policy, path.steps) ?? "", `type checking failed: ${warning.trim()}`),
  );
}
