// Small policies, bindings and requests for tests.

import type { KubeObject } from "@celadon/kube";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from "./policy.ts";
import type { AdmissionRequest } from "./request.ts";

export const EVERYTHING = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] } as const;

export function policyOf(name: string, spec: Partial<ValidatingAdmissionPolicySpec> = {}): ValidatingAdmissionPolicy {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [EVERYTHING] }, validations: [{ expression: "false" }], ...spec },
  };
}

export function bindingOf(
  name: string,
  policyName: string,
  spec: Partial<ValidatingAdmissionPolicyBindingSpec> = {},
): ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName, validationActions: ["Deny"], ...spec },
  };
}

/** A cluster-scoped object unless `namespace` says otherwise: most tests need no namespace. */
export function podRequest(pod: Record<string, unknown> = {}, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const object: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, ...pod };
  return {
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    name: "p",
    operation: "CREATE",
    userInfo: { username: "ann", groups: ["system:authenticated"] },
    object,
    oldObject: null,
    options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
    ...more,
  };
}

export function namespaceOf(name: string, labels: Record<string, string> = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
