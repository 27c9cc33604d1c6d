// What part an object plays. Every manifest is also an object that policies may be asked about; some are part of the set-up as well.

import { gvkOf, type KubeObject } from "@celadon/kube";

export type Role =
  | "policy"
  | "binding"
  | "definition"
  | "webhooks"
  | "certificatePolicy"
  | "certificateRequest"
  | "namespace"
  | "rbac"
  | "object";

const RBAC_KINDS: ReadonlySet<string> = new Set(["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"]);

export function roleOf(object: KubeObject): Role {
  const { group, version, kind } = gvkOf(object);
  switch (group) {
    case "":
      return kind === "Namespace" && version === "v1" ? "namespace" : "object";
    case "admissionregistration.k8s.io":
      if (kind === "ValidatingAdmissionPolicy") return "policy";
      if (kind === "ValidatingAdmissionPolicyBinding") return "binding";
      return kind === "ValidatingWebhookConfiguration" || kind === "MutatingWebhookConfiguration"
        ? "webhooks"
        : "object";
    case "apiextensions.k8s.io":
      return kind === "CustomResourceDefinition" ? "definition" : "object";
    case "rbac.authorization.k8s.io":
      return RBAC_KINDS.has(kind) ? "rbac" : "object";
    case "policy.cert-manager.io":
      return kind === "CertificateRequestPolicy" ? "certificatePolicy" : "object";
    case "cert-manager.io":
      return kind === "CertificateRequest" ? "certificateRequest" : "object";
    default:
      return "object";
  }
}
