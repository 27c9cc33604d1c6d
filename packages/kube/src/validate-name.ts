// Checks of names that answer with field errors of several types.

import { type FieldError, invalidValue, requiredValue } from "./field-error.ts";
import type { FieldPath } from "./field-path.ts";
import { checkDns1123Subdomain } from "./names.ts";

/** A domain of at least three segments, as webhooks are named: `policy.example.com`. */
export function validateFullyQualifiedName(path: FieldPath, name: string): FieldError[] {
  if (name === "") return [requiredValue(path)];
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) return [invalidValue(path, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalidValue(path, name, "should be a domain with at least three segments separated by dots")];
}
