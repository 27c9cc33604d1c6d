// Finds the rules of a CertificateRequestPolicy as it is written, even if the rest is wrong.

import { gvkOf, type PathPattern, valuesAt } from "@celadon/kube";
import { POLICY_GROUP, POLICY_KIND } from "../resource.ts";

/** A rule in a policy. */
export interface WrittenPolicyRule {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly kind: "rule";
}

const FIELDS: readonly PathPattern[] = [
  "spec.allowed.*.validations.*.rule",
  "spec.allowed.otherNames.*.validations.*.rule",
  "spec.allowed.subject.*.validations.*.rule",
  "spec.allowed.subject.otherAttributes.*.validations.*.rule",
].map((path) => path.split("."));

/** None for other kinds. */
export function policyRuleFields(object: object): readonly WrittenPolicyRule[] {
  const { group, kind } = gvkOf(object);
  if (group !== POLICY_GROUP || kind !== POLICY_KIND) return [];
  return FIELDS.flatMap((pattern) => valuesAt(object, pattern)).flatMap(({ path, value }) =>
    typeof value === "string" ? [{ path, text: value, kind: "rule" }] : [],
  );
}
