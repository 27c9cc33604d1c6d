// Strict type checking: what the API server only notes in a policy's status is a reason to refuse the policy when it is written.

import { type FieldError, invalidValue } from "@celadon/kube";
import type { ValidatingAdmissionPolicy } from "../policy.ts";
import type { TypeSource } from "../resources/kinds-to-check.ts";
import { checkTypes } from "../resources/type-check.ts";
import type { Gates } from "./gates.ts";

/** One error per expression and kind it does not fit. Kinds without a schema are not judged. */
export async function validateTypes(
  policy: ValidatingAdmissionPolicy,
  source: TypeSource,
  gates: Gates,
): Promise<FieldError[]> {
  if (!gates.StrictTypeChecking) return [];
  const { expressionWarnings } = await checkTypes(policy, source, { beyond: false });
  return expressionWarnings.map(({ fieldRef, warning }) =>
    invalidValue(fieldRef, expressionAt(policy, fieldRef), `type checking failed: ${warning.trim()}`),
  );
}

function expressionAt({ spec }: ValidatingAdmissionPolicy, fieldRef: string): string {
  const match = /^spec\.validations\[(\d+)\]\.(expression|messageExpression)$/.exec(fieldRef);
  const validation = match && spec.validations?.[Number(match[1])];
  return validation?.[match?.[2] as "expression" | "messageExpression"] ?? "";
}
