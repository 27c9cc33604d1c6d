// Fields of a Certificate or a CertificateRequest for the attributes of a certificate policy. The contents of a signing
// request have no fields: `spec.request` stands for all of them.

import { type JsonPath, valueAt } from "@celadon/base";
import type { DataPath } from "@celadon/cel/explain";
import { type CertificateReview, matchesWildcard, requestPath } from "@celadon/certpolicy";
import type { KubeObject } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";

const NAMES: ReadonlySet<string> = new Set([
  "commonName",
  "dnsNames",
  "emailAddresses",
  "ipAddresses",
  "otherNames",
  "subject",
  "uris",
]);

const SIGNING_REQUEST: JsonPath = ["spec", "request"];

/** The field of the object for a path in a policy: `["spec", "allowed", "dnsNames", "values"]`, `["spec", "constraints", "maxDuration"]`. */
export function attributeField({ kind }: KubeObject, [, group, name, below]: JsonPath): JsonPath | undefined {
  if (typeof name !== "string") return undefined;
  const isCertificate = kind === "Certificate";
  if (group === "constraints") {
    if (name !== "privateKey") return ["spec", "duration"];
    if (!isCertificate) return SIGNING_REQUEST;
    return ["spec", "privateKey", below === "algorithm" ? "algorithm" : "size"];
  }
  if (!NAMES.has(name)) return ["spec", name];
  if (!isCertificate) return SIGNING_REQUEST;
  return name === "subject" && typeof below === "string" ? ["spec", "subject", below] : ["spec", name];
}

/** The field that a part of a rule read. `rule` is the place of the rule in its policy, `self` the value it was evaluated on. */
export function requestField(object: KubeObject, place: DataPath, rule: JsonPath, self: string): JsonPath | undefined {
  if (place.root !== "self") {
    const { root, path } = requestPath(place);
    return root === "object" ? path : undefined;
  }
  const field = attributeField(object, rule);
  if (field === undefined || field === SIGNING_REQUEST) return undefined;
  const value = valueAt(object, field);
  const index = Array.isArray(value) ? value.indexOf(self) : -1;
  return index === -1 ? field : [...field, index];
}

/** The errors of a request under a policy. Paths lead into the policy. */
export function certificateErrors(review: CertificateReview | undefined, policy: string): readonly FieldError[] {
  if (review === undefined || review.result === "Error") return [];
  return review.policies.flatMap((outcome) =>
    outcome.outcome === "denies" && outcome.policy === policy
      ? outcome.answers.flatMap(({ evaluation }) => ("errors" in evaluation ? evaluation.errors : []))
      : [],
  );
}

/** The field of the object that an error is about; of a list the element that is not allowed, where one alone is. */
export function guiltyField(object: KubeObject, { path, value }: FieldError, policy?: unknown): JsonPath | undefined {
  const field = attributeField(object, path.steps);
  const list = field && valueAt(object, field);
  if (field === undefined || !Array.isArray(list)) return field;
  const patterns = path.steps.at(-1) === "values" ? valueAt(policy, path.steps) : undefined;
  const isWrong = (item: unknown): boolean =>
    Array.isArray(patterns)
      ? !patterns.some((pattern) => matchesWildcard(String(pattern), String(item)))
      : item === value;
  const index = list.findIndex(isWrong);
  return index === -1 ? field : [...field, index];
}
