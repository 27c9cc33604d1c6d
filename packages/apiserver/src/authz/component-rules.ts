// Roles of Kubernetes' own components: scheduler, kube-proxy, DNS, approvers of certificates. The server itself does not need them;
// components that connect with their usual identities do, and so do tools that look for them. Upstream: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy.

import type { Minor } from "@celadon/kube/versions";
import { CONTROLLER_ROLES } from "./controller-rules.ts";
import type { RuleRow } from "./role-rule.ts";

const EVENTS = "create,patch,update core,events.k8s.io events";

/** Rules of cluster roles by name. */
// biome-ignore format: one rule per line
export const COMPONENT_ROLES: Readonly<Record<string, readonly RuleRow[]>> = {
  ...CONTROLLER_ROLES,
  "system:certificates.k8s.io:certificatesigningrequests:nodeclient": [
    "create certificates.k8s.io certificatesigningrequests/nodeclient",
  ],
  "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient": [
    "create certificates.k8s.io certificatesigningrequests/selfnodeclient",
  ],
  "system:certificates.k8s.io:kube-apiserver-client-approver": [
    "approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client",
  ],
  "system:certificates.k8s.io:kube-apiserver-client-kubelet-approver": [
    "approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet",
  ],
  "system:certificates.k8s.io:kubelet-serving-approver": [
    "approve certificates.k8s.io signers kubernetes.io/kubelet-serving",
  ],
  "system:certificates.k8s.io:legacy-unknown-approver": [
    "approve certificates.k8s.io signers kubernetes.io/legacy-unknown",
  ],
  "system:cluster-trust-bundle-discovery": [
    "get,list,watch certificates.k8s.io clustertrustbundles",
  ],
  "system:heapster": [
    "get,list,watch core events,namespaces,nodes,pods",
    "get,list,watch extensions deployments",
  ],
  "system:kube-aggregator": [
    "get,list,watch core endpoints,services",
  ],
  "system:kube-controller-manager": [
    EVENTS,
    "create coordination.k8s.io leases",
    "get,update coordination.k8s.io leases kube-controller-manager",
    "create core secrets,serviceaccounts",
    "delete core secrets",
    "get core configmaps,namespaces,secrets,serviceaccounts",
    "update core secrets,serviceaccounts",
    "create authentication.k8s.io tokenreviews",
    "create authorization.k8s.io subjectaccessreviews",
    "list,watch * *",
    "create core serviceaccounts/token",
  ],
  "system:kube-dns": [
    "list,watch core endpoints,services",
  ],
  "system:kube-scheduler": [
    EVENTS,
    "create coordination.k8s.io leases",
    { rule: "get,update coordination.k8s.io leases kube-scheduler", removed: "1.31" },
    { rule: "get,list,update,watch coordination.k8s.io leases kube-scheduler", since: "1.31" },
    { rule: "create,delete,deletecollection,get,list,patch,update,watch coordination.k8s.io leasecandidates", since: "1.31" },
    "get,list,watch core nodes",
    "delete,get,list,watch core pods",
    "create core bindings,pods/binding",
    "patch,update core pods/status",
    "get,list,watch core replicationcontrollers,services",
    "get,list,watch apps,extensions replicasets",
    "get,list,watch apps statefulsets",
    "get,list,watch policy poddisruptionbudgets",
    "get,list,watch core persistentvolumeclaims,persistentvolumes",
    "create authentication.k8s.io tokenreviews",
    "create authorization.k8s.io subjectaccessreviews",
    "get,list,watch storage.k8s.io csinodes",
    { rule: "get,list,watch storage.k8s.io volumeattachments", since: "1.32" },
    "get,list,watch core namespaces",
    "get,list,watch storage.k8s.io csidrivers",
    "get,list,watch storage.k8s.io csistoragecapacities",
    { rule: "get,list,watch resource.k8s.io deviceclasses", since: "1.34" },
    { rule: "get,list,patch,update,watch resource.k8s.io resourceclaims", since: "1.34" },
    { rule: "get,list,patch,update,watch resource.k8s.io resourceclaims/status", since: "1.34" },
    { rule: "update core pods/finalizers", since: "1.34" },
    { rule: "get,list,watch resource.k8s.io resourceslices", since: "1.34" },
    { rule: "create,delete resource.k8s.io resourceclaims", since: "1.36" },
    { rule: "get,list,watch resource.k8s.io devicetaintrules", since: "1.37" },
    { rule: "patch,update resource.k8s.io resourceclaims/binding", since: "1.36" },
  ],
  "system:kubelet-api-admin": [
    "get,list,watch core nodes",
    "proxy core nodes",
    "* core nodes/log,nodes/metrics,nodes/proxy,nodes/stats",
    { rule: "* core nodes/configz,nodes/healthz,nodes/pods", since: "1.33" },
  ],
  "system:node-bootstrapper": [
    "create,get,list,watch certificates.k8s.io certificatesigningrequests",
  ],
  "system:node-problem-detector": [
    "get core nodes",
    "patch core nodes/status",
    EVENTS,
  ],
  "system:node-proxier": [
    "list,watch core endpoints,services",
    "get,list,watch core nodes",
    EVENTS,
    { rule: "list,watch networking.k8s.io servicecidrs", since: "1.33" },
    "list,watch discovery.k8s.io endpointslices",
  ],
  "system:persistent-volume-provisioner": [
    "create,delete,get,list,watch core persistentvolumes",
    "get,list,update,watch core persistentvolumeclaims",
    "get,list,watch storage.k8s.io storageclasses",
    "watch core events",
    EVENTS,
  ],
  "system:service-account-issuer-discovery": [
    "get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/",
  ],
  "system:volume-scheduler": [
    "get,list,patch,update,watch core persistentvolumes",
    "get,list,watch storage.k8s.io storageclasses",
    "get,list,patch,update,watch core persistentvolumeclaims",
  ],
};

/** Cluster roles that the first minors lack, and their bindings with them. */
export const ROLES_SINCE: Readonly<Record<string, Minor>> = {
  "system:cluster-trust-bundle-discovery": "1.37",
  "system:controller:device-taint-eviction-controller": "1.36",
  "system:controller:kube-apiserver-serving-clustertrustbundle-publisher": "1.37",
  "system:controller:podcertificaterequestcleaner": "1.37",
  "system:controller:resource-claim-controller": "1.34",
  "system:controller:selinux-warning-controller": "1.33",
  "system:controller:service-cidrs-controller": "1.33",
  "system:controller:storage-version-migrator-controller": "1.37",
  "system:controller:volumeattributesclass-protection-controller": "1.34",
};

/** Rules of a role that leads among its copies. */
// biome-ignore format: one rule per line
const leading = (name: string): readonly RuleRow[] => [
  { rule: "watch core configmaps", removed: "1.35" },
  { rule: `get,update core configmaps ${name}`, removed: "1.35" },
  { rule: "create,get,list,update,watch coordination.k8s.io leases", since: "1.31" },
  { rule: "create,get,list,update,watch coordination.k8s.io leasecandidates", since: "1.31" },
];

/** Rules of roles in namespaces. */
// biome-ignore format: one role per line
export const NAMESPACE_ROLES: readonly (readonly [namespace: string, name: string, rules: readonly RuleRow[]])[] = [
  ["kube-public", "system:controller:bootstrap-signer", ["get,list,watch core configmaps", "update core configmaps cluster-info", EVENTS]],
  ["kube-system", "extension-apiserver-authentication-reader", ["get,list,watch core configmaps extension-apiserver-authentication"]],
  ["kube-system", "system::leader-locking-kube-controller-manager", leading("kube-controller-manager")],
  ["kube-system", "system::leader-locking-kube-scheduler", leading("kube-scheduler")],
  ["kube-system", "system:controller:bootstrap-signer", ["get,list,watch core secrets"]],
  ["kube-system", "system:controller:cloud-provider", ["create,get,list,watch core configmaps"]],
  ["kube-system", "system:controller:token-cleaner", ["delete,get,list,watch core secrets", EVENTS]],
];
