// The policies, bindings and params of the webhook campaigns.

import { OWN_GROUP } from "@celadon/cluster/webhook";

/** A policy for new ConfigMaps. */
export function policy(
  name: string,
  expression: string,
  spec: object = {},
  match: object = {},
): Record<string, unknown> {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  return {
    apiVersion: `${OWN_GROUP}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule], ...match }, validations: [{ expression }], ...spec },
  };
}

export function binding(name: string, spec: object = {}): Record<string, unknown> {
  return {
    apiVersion: `${OWN_GROUP}/v1`,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], ...spec },
  };
}

export const WORDS = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "words", namespace: "default" },
  data: {},
};
/** Excludes the params themselves, which must be allowed to be created again. */
const USES = { objectSelector: { matchLabels: { name: "uses-params" } } };

/** `bad` is denied, `uses-params` is denied without params, everything else is allowed. */
export const POLICIES: readonly Record<string, unknown>[] = [
  WORDS,
  policy("no-bad", "object.metadata.name != 'bad'"),
  binding("no-bad"),
  policy("words", "params.metadata.name == 'words'", { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }, USES),
  binding("words", { paramRef: { name: "words", namespace: "default", parameterNotFoundAction: "Deny" } }),
];
