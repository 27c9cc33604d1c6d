// Small policies and definitions for the tests of fuzzing.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from "@celadon/admission/policy";
import type { KubeObject } from "@celadon/kube";

type Rule = NonNullable<NonNullable<ValidatingAdmissionPolicySpec["matchConstraints"]>["resourceRules"]>[number];

const GROUPS: Readonly<Record<string, string>> = {
  deployments: "apps",
  widgets: "example.com",
  networkpolicies: "networking.k8s.io",
};

export function policyFor(
  resource: string,
  expressions: readonly string[],
  more: Partial<ValidatingAdmissionPolicySpec> = {},
  operations: Rule["operations"] & {} = ["CREATE"],
): ValidatingAdmissionPolicy {
  const rule = { apiGroups: [GROUPS[resource] ?? ""], apiVersions: ["v1"], resources: [resource], operations };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: expressions.map((expression) => ({ expression })),
      ...more,
    },
  };
}

/** widgets.example.com with this schema of `spec`. */
export function widgets(spec: unknown, more: Readonly<Record<string, unknown>> = {}): KubeObject {
  const openAPIV3Schema = {
    type: "object",
    properties: { spec, status: { type: "object", properties: { ready: { type: "boolean" } } } },
    ...more,
  };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {} },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [version],
    },
  };
}
