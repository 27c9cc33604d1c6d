// The versions of the built-in kinds, and the minors of Kubernetes that had them. From the lifecycle functions of k8s.io/api, and for
// removed kinds the deprecation guide. Versions that are off unless a server is configured to serve them (alpha, and beta since 1.24) are
// marked.

/** `version from-until`, the minor without its `1.`; `?` is off by default, no end is not removed yet. */
// biome-ignore format: one kind per line
const HISTORY: readonly (readonly [group: string, kind: string, versions: string])[] = [
  ["",                              "Binding",                          "v1 0"],
  ["",                              "ComponentStatus",                  "v1 0"],
  ["",                              "ConfigMap",                        "v1 2"],
  ["",                              "Endpoints",                        "v1 0"],
  ["",                              "Event",                            "v1 0"],
  ["",                              "LimitRange",                       "v1 0"],
  ["",                              "Namespace",                        "v1 0"],
  ["",                              "Node",                             "v1 0"],
  ["",                              "PersistentVolume",                 "v1 0"],
  ["",                              "PersistentVolumeClaim",            "v1 0"],
  ["",                              "Pod",                              "v1 0"],
  ["",                              "PodTemplate",                      "v1 0"],
  ["",                              "ReplicationController",            "v1 0"],
  ["",                              "ResourceQuota",                    "v1 0"],
  ["",                              "Secret",                           "v1 0"],
  ["",                              "Service",                          "v1 0"],
  ["",                              "ServiceAccount",                   "v1 0"],
  ["admissionregistration.k8s.io",  "MutatingAdmissionPolicy",          "v1alpha1? 32-38, v1beta1? 34-40, v1 36"],
  ["admissionregistration.k8s.io",  "MutatingAdmissionPolicyBinding",   "v1alpha1? 32-38, v1beta1? 34-40, v1 36"],
  ["admissionregistration.k8s.io",  "MutatingWebhookConfiguration",     "v1beta1 9-22, v1 16"],
  ["admissionregistration.k8s.io",  "ValidatingAdmissionPolicy",        "v1alpha1? 26-32, v1beta1? 28-34, v1 30"],
  ["admissionregistration.k8s.io",  "ValidatingAdmissionPolicyBinding", "v1alpha1? 26-32, v1beta1? 28-34, v1 30"],
  ["admissionregistration.k8s.io",  "ValidatingWebhookConfiguration",   "v1beta1 9-22, v1 16"],
  ["apiextensions.k8s.io",          "CustomResourceDefinition",         "v1beta1 7-22, v1 16"],
  ["apiregistration.k8s.io",        "APIService",                       "v1beta1 7-22, v1 10"],
  ["apps",                          "ControllerRevision",               "v1beta1 7-16, v1beta2 8-16, v1 9"],
  ["apps",                          "DaemonSet",                        "v1beta2 8-16, v1 9"],
  ["apps",                          "Deployment",                       "v1beta1 6-16, v1beta2 8-16, v1 9"],
  ["apps",                          "ReplicaSet",                       "v1beta2 8-16, v1 9"],
  ["apps",                          "StatefulSet",                      "v1beta1 5-16, v1beta2 8-16, v1 9"],
  ["auditregistration.k8s.io",      "AuditSink",                        "v1alpha1? 13-19"],
  ["authentication.k8s.io",         "SelfSubjectReview",                "v1alpha1? 26-32, v1beta1? 27-33, v1 28"],
  ["authentication.k8s.io",         "TokenReview",                      "v1beta1 4-22, v1 6"],
  ["authorization.k8s.io",          "LocalSubjectAccessReview",         "v1beta1 2-22, v1 6"],
  ["authorization.k8s.io",          "SelfSubjectAccessReview",          "v1beta1 2-22, v1 6"],
  ["authorization.k8s.io",          "SelfSubjectRulesReview",           "v1beta1 8-22, v1 8"],
  ["authorization.k8s.io",          "SubjectAccessReview",              "v1beta1 2-22, v1 6"],
  ["autoscaling",                   "HorizontalPodAutoscaler",          "v2beta1 8-25, v2beta2 12-26, v1 2, v2 23"],
  ["batch",                         "CronJob",                          "v2alpha1? 5-21, v1beta1 8-25, v1 21"],
  ["batch",                         "Job",                              "v1 2"],
  ["certificates.k8s.io",           "CertificateSigningRequest",        "v1beta1 12-22, v1 19"],
  ["certificates.k8s.io",           "ClusterTrustBundle",               "v1alpha1? 26-37, v1beta1? 33, v1 37"],
  ["certificates.k8s.io",           "PodCertificateRequest",            "v1alpha1? 34-35, v1beta1? 35, v1 37"],
  ["coordination.k8s.io",           "Lease",                            "v1beta1 12-22, v1 14"],
  ["coordination.k8s.io",           "LeaseCandidate",                   "v1alpha1? 31-32, v1alpha2? 32-38, v1beta1? 33"],
  ["discovery.k8s.io",              "EndpointSlice",                    "v1beta1 16-25, v1 21"],
  ["events.k8s.io",                 "Event",                            "v1beta1 8-25, v1 19"],
  ["extensions",                    "DaemonSet",                        "v1beta1 1-16"],
  ["extensions",                    "Deployment",                       "v1beta1 1-16"],
  ["extensions",                    "Ingress",                          "v1beta1 1-22"],
  ["extensions",                    "NetworkPolicy",                    "v1beta1 3-16"],
  ["extensions",                    "PodSecurityPolicy",                "v1beta1 3-16"],
  ["extensions",                    "ReplicaSet",                       "v1beta1 2-16"],
  ["flowcontrol.apiserver.k8s.io",  "FlowSchema",                       "v1alpha1? 18-21, v1beta1 20-26, v1beta2 23-29, v1beta3 26-32, v1 29"],
  ["flowcontrol.apiserver.k8s.io",  "PriorityLevelConfiguration",       "v1alpha1? 18-21, v1beta1 20-26, v1beta2 23-29, v1beta3 26-32, v1 29"],
  ["internal.apiserver.k8s.io",     "StorageVersion",                   "v1alpha1? 20"],
  ["networking.k8s.io",             "IPAddress",                        "v1alpha1? 27-33, v1beta1? 31-37, v1 33"],
  ["networking.k8s.io",             "Ingress",                          "v1beta1 14-22, v1 19"],
  ["networking.k8s.io",             "IngressClass",                     "v1beta1 18-22, v1 19"],
  ["networking.k8s.io",             "NetworkPolicy",                    "v1 7"],
  ["networking.k8s.io",             "ServiceCIDR",                      "v1alpha1? 27-33, v1beta1? 31-37, v1 33"],
  ["node.k8s.io",                   "RuntimeClass",                     "v1beta1 13-25, v1 20"],
  ["policy",                        "PodDisruptionBudget",              "v1beta1 5-25, v1 21"],
  ["policy",                        "PodSecurityPolicy",                "v1beta1 10-25"],
  ["rbac.authorization.k8s.io",     "ClusterRole",                      "v1alpha1? 5-22, v1beta1 6-22, v1 8"],
  ["rbac.authorization.k8s.io",     "ClusterRoleBinding",               "v1alpha1? 5-22, v1beta1 6-22, v1 8"],
  ["rbac.authorization.k8s.io",     "Role",                             "v1alpha1? 5-22, v1beta1 6-22, v1 8"],
  ["rbac.authorization.k8s.io",     "RoleBinding",                      "v1alpha1? 5-22, v1beta1 6-22, v1 8"],
  ["resource.k8s.io",               "DeviceClass",                      "v1alpha3? 31-34, v1beta1? 32-38, v1beta2? 33, v1 34"],
  ["resource.k8s.io",               "DeviceTaintRule",                  "v1alpha3? 33, v1beta2? 36, v1 37"],
  ["resource.k8s.io",               "ResourceClaim",                    "v1alpha1? 26-27, v1alpha2? 27-31, v1alpha3? 31-34, v1beta1? 32-38, v1beta2? 33, v1 34"],
  ["resource.k8s.io",               "ResourceClaimTemplate",            "v1alpha1? 26-27, v1alpha2? 27-31, v1alpha3? 31-34, v1beta1? 32-38, v1beta2? 33, v1 34"],
  ["resource.k8s.io",               "ResourcePoolStatusRequest",        "v1alpha3? 36"],
  ["resource.k8s.io",               "ResourceSlice",                    "v1alpha2? 30-31, v1alpha3? 31-34, v1beta1? 32-38, v1beta2? 33, v1 34"],
  ["scheduling.k8s.io",             "PriorityClass",                    "v1alpha1? 8-22, v1beta1 11-22, v1 14"],
  ["scheduling.k8s.io",             "PodGroup",                         "v1alpha2? 36"],
  ["scheduling.k8s.io",             "Workload",                         "v1alpha1? 35-36, v1alpha2? 36"],
  ["settings.k8s.io",               "PodPreset",                        "v1alpha1? 6-20"],
  ["storage.k8s.io",                "CSIDriver",                        "v1beta1 14-22, v1 18"],
  ["storage.k8s.io",                "CSINode",                          "v1beta1 14-22, v1 17"],
  ["storage.k8s.io",                "CSIStorageCapacity",               "v1alpha1? 19-24, v1beta1 21-27, v1 24"],
  ["storage.k8s.io",                "StorageClass",                     "v1beta1 4-22, v1 6"],
  ["storage.k8s.io",                "VolumeAttachment",                 "v1alpha1? 9-24, v1beta1 10-22, v1 13"],
  ["storage.k8s.io",                "VolumeAttributesClass",            "v1alpha1? 29-35, v1beta1? 31-37, v1 34"],
  ["storagemigration.k8s.io",       "StorageVersionMigration",          "v1alpha1? 30-36, v1beta1? 35, v1 37"],
];

/** Kinds that are bodies of subresources, options of connections and lists of anything: not resources, but known. */
const BODIES: ReadonlySet<string> = new Set([
  "autoscaling/v1/Scale",
  "policy/v1/Eviction",
  "policy/v1beta1/Eviction",
  "authentication.k8s.io/v1/TokenRequest",
  "v1/List",
  "v1/Status",
  "v1/NodeProxyOptions",
  "v1/PodAttachOptions",
  "v1/PodExecOptions",
  "v1/PodLogOptions",
  "v1/PodPortForwardOptions",
  "v1/PodProxyOptions",
  "v1/ServiceProxyOptions",
  "v1/DeleteOptions",
]);

export interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The number after `1.` of the version that added it, and of the version that removed it. */
  readonly from: number;
  readonly until: number | undefined;
  readonly offByDefault: boolean;
}

let versions: readonly KindVersion[] | undefined;
let groups: ReadonlySet<string> | undefined;

/** Every version of every built-in kind there was. */
export function kindVersions(): readonly KindVersion[] {
  versions ??= HISTORY.flatMap(([group, kind, text]) => text.split(", ").map((item) => readVersion(group, kind, item)));
  return versions;
}

/** Whether Kubernetes has a group of this name, or had one. Other groups are for custom resources. */
export function isBuiltinGroup(group: string): boolean {
  groups ??= new Set(HISTORY.map(([name]) => name));
  return groups.has(group);
}

export function isBodyKind(apiVersion: string, kind: string): boolean {
  return BODIES.has(`${apiVersion}/${kind}`);
}

function readVersion(group: string, kind: string, text: string): KindVersion {
  const [, version = "", mark = "", from = "", until] = /^(\w+)(\??) (\d+)(?:-(\d+))?$/.exec(text)!;
  return {
    group,
    version,
    kind,
    from: Number(from),
    until: until === undefined ? undefined : Number(until),
    offByDefault: mark === "?",
  };
}
