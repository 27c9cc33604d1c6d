// The resources an approver watches and writes.

import type { GroupVersionResource } from "@celadon/kube";

export const REQUESTS: GroupVersionResource = {
  group: "cert-manager.io",
  version: "v1",
  resource: "certificaterequests",
};

export const POLICIES: GroupVersionResource = {
  group: "policy.cert-manager.io",
  version: "v1alpha1",
  resource: "certificaterequestpolicies",
};

export const NAMESPACES: GroupVersionResource = { group: "", version: "v1", resource: "namespaces" };

/** Their changes may grant new rights. */
export const RBAC: readonly GroupVersionResource[] = [
  "clusterroles",
  "clusterrolebindings",
  "roles",
  "rolebindings",
].map((resource) => ({ group: "rbac.authorization.k8s.io", version: "v1", resource }));
