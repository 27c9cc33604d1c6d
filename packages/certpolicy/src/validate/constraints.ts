// Admission of `spec.constraints`: bounds that some request can meet.

import { type FieldError, type FieldPath, fieldPath, Invalid, invalidValue, notSupported } from "@celadon/kube/errors";
import { compareDurations, durationText, isNegative, parseDuration } from "../duration.ts";
import { type Constraints, KEY_ALGORITHMS, type PrivateKeyConstraints } from "../resource.ts";

const MAX_SIZE = 8192;

export function validateConstraints(constraints: Constraints | null | undefined): FieldError[] {
  if (constraints === null || constraints === undefined) return [];
  const path = fieldPath("spec", "constraints");
  return [...checkKey(constraints.privateKey ?? {}, path.child("privateKey")), ...checkDurations(constraints, path)];
}

function checkKey({ algorithm, minSize, maxSize }: PrivateKeyConstraints, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const sizes = [
    ["maxSize", maxSize],
    ["minSize", minSize],
  ] as const;
  if (typeof algorithm === "string" && !KEY_ALGORITHMS.includes(algorithm)) {
    errors.push(notSupported(path.child("algorithm"), algorithm, KEY_ALGORITHMS));
  }
  for (const [field, size] of sizes) {
    if (algorithm !== "Ed25519" || typeof size !== "number") continue;
    errors.push(invalidValue(path.child(field), size, `${field} cannot be defined with algorithm constraint Ed25519`));
  }
  for (const [field, size] of sizes) {
    if (typeof size !== "number" || (size >= 0 && size <= MAX_SIZE)) continue;
    errors.push(invalidValue(path.child(field), size, `must be between 0 and ${MAX_SIZE} inclusive`));
  }
  if (typeof maxSize === "number" && typeof minSize === "number" && maxSize < minSize) {
    errors.push(invalidValue(path.child("maxSize"), maxSize, "maxSize must be the same value as minSize or larger"));
  }
  return errors;
}

function checkDurations({ minDuration, maxDuration }: Constraints, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const min = typeof minDuration === "string" ? parseDuration(minDuration) : undefined;
  const max = typeof maxDuration === "string" ? parseDuration(maxDuration) : undefined;
  // The API server refuses to decode such a policy before any webhook sees it.
  if (max instanceof Invalid) return [invalidValue(path.child("maxDuration"), maxDuration, max.message)];
  if (min instanceof Invalid) return [invalidValue(path.child("minDuration"), minDuration, min.message)];
  if (max && min && compareDurations(max, min) < 0) {
    const detail = "maxDuration must be the same value as minDuration or larger";
    errors.push(invalidValue(path.child("maxDuration"), durationText(max), detail));
  }
  if (max && isNegative(max)) {
    errors.push(
      invalidValue(path.child("maxDuration"), durationText(max), "maxDuration must be a value greater or equal to 0"),
    );
  }
  if (min && isNegative(min)) {
    errors.push(
      invalidValue(path.child("minDuration"), durationText(min), "minDuration must be a value greater or equal to 0"),
    );
  }
  return errors;
}
