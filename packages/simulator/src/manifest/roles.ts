// The role of an object. Policies may match every manifest; some manifests also belong to the set-up of the cluster.

import { gvkOf, type KubeObject } from "@celadon/kube";

/** The part that an object plays in a cluster. */
export type Role =
  | "policy"
  | "binding"
  | "mutatingPolicy"
  | "mutatingBinding"
  | "definition"
  | "webhooks"
  | "certificatePolicy"
  | "certificateRequest"
  /** Becomes a certificate request. */
  | "certificate"
  | "namespace"
  | "rbac"
  /** Files that an API server reads at its start. */
  | "authentication"
  | "authorization"
  | "object";

const RBAC_KINDS: ReadonlySet<string> = new Set(["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"]);

/** Roles of objects that are reviewed and decide nothing. */
const SUBJECTS: ReadonlySet<Role> = new Set(["object", "certificateRequest", "certificate"]);

/** Whether an object is part of what decides. */
export function isSetUp(object: KubeObject): boolean {
  return !SUBJECTS.has(roleOf(object));
}

/** The part that an object plays in a cluster, by its group and kind. */
export function roleOf(object: KubeObject): Role {
  const { group, version, kind } = gvkOf(object);
  switch (group) {
    case "":
      return kind === "Namespace" && version === "v1" ? "namespace" : "object";
    case "admissionregistration.k8s.io":
      if (kind === "ValidatingAdmissionPolicy") return "policy";
      if (kind === "ValidatingAdmissionPolicyBinding") return "binding";
      if (kind === "MutatingAdmissionPolicy") return "mutatingPolicy";
      if (kind === "MutatingAdmissionPolicyBinding") return "mutatingBinding";
      return kind === "ValidatingWebhookConfiguration" || kind === "MutatingWebhookConfiguration"
        ? "webhooks"
        : "object";
    case "apiextensions.k8s.io":
      return kind === "CustomResourceDefinition" ? "definition" : "object";
    case "rbac.authorization.k8s.io":
      return RBAC_KINDS.has(kind) ? "rbac" : "object";
    case "policy.cert-manager.io":
      return kind === "CertificateRequestPolicy" ? "certificatePolicy" : "object";
    case "apiserver.config.k8s.io":
      if (kind === "AuthenticationConfiguration") return "authentication";
      return kind === "AuthorizationConfiguration" ? "authorization" : "object";
    case "cert-manager.io":
      if (kind === "CertificateRequest") return "certificateRequest";
      return kind === "Certificate" ? "certificate" : "object";
    default:
      return "object";
  }
}
