// Strict type checking: what the API server only notes in a policy's status is a reason to refuse the policy when it is written.

import { valueAt } from "@celadon/base";
import { type FieldError, invalidValue } from "@celadon/kube";
import type { ValidatingAdmissionPolicy } from "../policy.ts";
import type { TypeSource } from "../resources/kinds-to-check.ts";
import { byExpression, checkTypes } from "../resources/type-check.ts";
import type { Gates } from "./gates.ts";

/** One error per expression and kind it does not fit. Kinds without a schema are not judged. */
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
