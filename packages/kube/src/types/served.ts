// The resources a kube-apiserver serves with its default settings, as its discovery lists them: names, scope, verbs, subresources, and the
// minors that have them, where those are not all from 1.30 on. Alpha and beta versions are off by default.

import { emulationOf } from "../emulation.ts";
import type { Minor } from "../versions.ts";

/** A resource that the API server serves. */
export interface ServedBuiltin {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedBuiltinSubresource[];
}

/** A subresource that the API server serves. */
export interface ServedBuiltinSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The version of its body; the resource's own kind for most. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** A resource with the first and last number after `1.` of the minors that serve it. */
interface Row {
  readonly resource: ServedBuiltin;
  readonly from: number;
  readonly until: number;
}

const NAMESPACED = true;
const CLUSTER = false;
const ALL = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const NO_COLLECTION = ["create", "delete", "get", "list", "patch", "update", "watch"];
const CREATE = ["create"];
const READ = ["get", "list"];

const CHANGE = ["get", "patch", "update"];
const STREAM = ["create", "get"];
const PROXY = ["create", "delete", "get", "patch", "update"];

/** Verbs of a subresource, and its body where that is another kind. */
// biome-ignore format: one subresource per line
const SUBRESOURCES: Readonly<Record<string, readonly [verbs: readonly string[], apiVersion?: string, kind?: string]>> = {
  status:              [CHANGE],
  approval:            [CHANGE],
  ephemeralcontainers: [CHANGE],
  resize:              [CHANGE],
  finalize:            [["update"]],
  scale:               [CHANGE,   "autoscaling/v1",           "Scale"],
  binding:             [CREATE,   "v1",                       "Binding"],
  eviction:            [CREATE,   "policy/v1",                "Eviction"],
  token:               [CREATE,   "authentication.k8s.io/v1", "TokenRequest"],
  attach:              [STREAM,   "v1",                       "PodAttachOptions"],
  exec:                [STREAM,   "v1",                       "PodExecOptions"],
  portforward:         [STREAM,   "v1",                       "PodPortForwardOptions"],
  log:                 [["get"]],
  proxy:               [PROXY],
};

// biome-ignore format: one resource per line
const RESOURCES: readonly Row[] = [
  //  version, kind, plural, scope, verbs, subresources, short names, categories, first and last minor
  row("v1",                              "Binding",                          "bindings",                          NAMESPACED, CREATE,        "",                           "",         ""),
  row("v1",                              "ComponentStatus",                  "componentstatuses",                 CLUSTER,    READ,          "",                           "cs",       ""),
  row("v1",                              "ConfigMap",                        "configmaps",                        NAMESPACED, ALL,           "",                           "cm",       ""),
  row("v1",                              "Endpoints",                        "endpoints",                         NAMESPACED, ALL,           "",                           "ep",       ""),
  row("v1",                              "Event",                            "events",                            NAMESPACED, ALL,           "",                           "ev",       ""),
  row("v1",                              "LimitRange",                       "limitranges",                       NAMESPACED, ALL,           "",                           "limits",   ""),
  row("v1",                              "Namespace",                        "namespaces",                        CLUSTER,    NO_COLLECTION, "finalize status",            "ns",       ""),
  row("v1",                              "Node",                             "nodes",                             CLUSTER,    ALL,           "proxy status",               "no",       ""),
  row("v1",                              "PersistentVolumeClaim",            "persistentvolumeclaims",            NAMESPACED, ALL,           "status",                     "pvc",      ""),
  row("v1",                              "PersistentVolume",                 "persistentvolumes",                 CLUSTER,    ALL,           "status",                     "pv",       ""),
  row("v1",                              "Pod",                              "pods",                              NAMESPACED, ALL,           "attach binding ephemeralcontainers eviction exec log portforward proxy resize status", "po",       "all"),
  row("v1",                              "PodTemplate",                      "podtemplates",                      NAMESPACED, ALL,           "",                           "",         ""),
  row("v1",                              "ReplicationController",            "replicationcontrollers",            NAMESPACED, ALL,           "scale status",               "rc",       "all"),
  row("v1",                              "ResourceQuota",                    "resourcequotas",                    NAMESPACED, ALL,           "status",                     "quota",    ""),
  row("v1",                              "Secret",                           "secrets",                           NAMESPACED, ALL,           "",                           "",         ""),
  row("v1",                              "ServiceAccount",                   "serviceaccounts",                   NAMESPACED, ALL,           "token",                      "sa",       ""),
  row("v1",                              "Service",                          "services",                          NAMESPACED, ALL,           "proxy status",               "svc",      "all"),
  row("apiregistration.k8s.io/v1",       "APIService",                       "apiservices",                       CLUSTER,    ALL,           "status",                     "",         "api-extensions"),
  row("apps/v1",                         "ControllerRevision",               "controllerrevisions",               NAMESPACED, ALL,           "",                           "",         ""),
  row("apps/v1",                         "DaemonSet",                        "daemonsets",                        NAMESPACED, ALL,           "status",                     "ds",       "all"),
  row("apps/v1",                         "Deployment",                       "deployments",                       NAMESPACED, ALL,           "scale status",               "deploy",   "all"),
  row("apps/v1",                         "ReplicaSet",                       "replicasets",                       NAMESPACED, ALL,           "scale status",               "rs",       "all"),
  row("apps/v1",                         "StatefulSet",                      "statefulsets",                      NAMESPACED, ALL,           "scale status",               "sts",      "all"),
  row("events.k8s.io/v1",                "Event",                            "events",                            NAMESPACED, ALL,           "",                           "ev",       ""),
  row("authentication.k8s.io/v1",        "SelfSubjectReview",                "selfsubjectreviews",                CLUSTER,    CREATE,        "",                           "",         ""),
  row("authentication.k8s.io/v1",        "TokenReview",                      "tokenreviews",                      CLUSTER,    CREATE,        "",                           "",         ""),
  row("authorization.k8s.io/v1",         "LocalSubjectAccessReview",         "localsubjectaccessreviews",         NAMESPACED, CREATE,        "",                           "",         ""),
  row("authorization.k8s.io/v1",         "SelfSubjectAccessReview",          "selfsubjectaccessreviews",          CLUSTER,    CREATE,        "",                           "",         ""),
  row("authorization.k8s.io/v1",         "SelfSubjectRulesReview",           "selfsubjectrulesreviews",           CLUSTER,    CREATE,        "",                           "",         ""),
  row("authorization.k8s.io/v1",         "SubjectAccessReview",              "subjectaccessreviews",              CLUSTER,    CREATE,        "",                           "",         ""),
  row("autoscaling/v2",                  "HorizontalPodAutoscaler",          "horizontalpodautoscalers",          NAMESPACED, ALL,           "status",                     "hpa",      "all"),
  row("autoscaling/v1",                  "HorizontalPodAutoscaler",          "horizontalpodautoscalers",          NAMESPACED, ALL,           "status",                     "hpa",      "all"),
  row("batch/v1",                        "CronJob",                          "cronjobs",                          NAMESPACED, ALL,           "status",                     "cj",       "all"),
  row("batch/v1",                        "Job",                              "jobs",                              NAMESPACED, ALL,           "status",                     "",         "all"),
  row("certificates.k8s.io/v1",          "CertificateSigningRequest",        "certificatesigningrequests",        CLUSTER,    ALL,           "approval status",            "csr",      ""),
  row("certificates.k8s.io/v1",          "ClusterTrustBundle",               "clustertrustbundles",               CLUSTER,    ALL,           "",                           "",         "", 37),
  row("certificates.k8s.io/v1",          "PodCertificateRequest",            "podcertificaterequests",            NAMESPACED, ALL,           "status",                     "",         "", 37),
  row("networking.k8s.io/v1",            "IngressClass",                     "ingressclasses",                    CLUSTER,    ALL,           "",                           "",         ""),
  row("networking.k8s.io/v1",            "Ingress",                          "ingresses",                         NAMESPACED, ALL,           "status",                     "ing",      ""),
  row("networking.k8s.io/v1",            "IPAddress",                        "ipaddresses",                       CLUSTER,    ALL,           "",                           "ip",       "", 33),
  row("networking.k8s.io/v1",            "NetworkPolicy",                    "networkpolicies",                   NAMESPACED, ALL,           "",                           "netpol",   ""),
  row("networking.k8s.io/v1",            "ServiceCIDR",                      "servicecidrs",                      CLUSTER,    ALL,           "status",                     "",         "", 33),
  row("policy/v1",                       "PodDisruptionBudget",              "poddisruptionbudgets",              NAMESPACED, ALL,           "status",                     "pdb",      ""),
  row("rbac.authorization.k8s.io/v1",    "ClusterRoleBinding",               "clusterrolebindings",               CLUSTER,    ALL,           "",                           "",         ""),
  row("rbac.authorization.k8s.io/v1",    "ClusterRole",                      "clusterroles",                      CLUSTER,    ALL,           "",                           "",         ""),
  row("rbac.authorization.k8s.io/v1",    "RoleBinding",                      "rolebindings",                      NAMESPACED, ALL,           "",                           "",         ""),
  row("rbac.authorization.k8s.io/v1",    "Role",                             "roles",                             NAMESPACED, ALL,           "",                           "",         ""),
  row("storage.k8s.io/v1",               "CSIDriver",                        "csidrivers",                        CLUSTER,    ALL,           "",                           "",         ""),
  row("storage.k8s.io/v1",               "CSINode",                          "csinodes",                          CLUSTER,    ALL,           "status",                     "",         ""),
  row("storage.k8s.io/v1",               "CSIStorageCapacity",               "csistoragecapacities",              NAMESPACED, ALL,           "",                           "",         ""),
  row("storage.k8s.io/v1",               "StorageClass",                     "storageclasses",                    CLUSTER,    ALL,           "",                           "sc",       ""),
  row("storage.k8s.io/v1",               "VolumeAttachment",                 "volumeattachments",                 CLUSTER,    ALL,           "status",                     "",         ""),
  row("storage.k8s.io/v1",               "VolumeAttributesClass",            "volumeattributesclasses",           CLUSTER,    ALL,           "",                           "vac",      "", 34),
  row("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy",          "mutatingadmissionpolicies",         CLUSTER,    ALL,           "",                           "",         "api-extensions", 36),
  row("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding",   "mutatingadmissionpolicybindings",   CLUSTER,    ALL,           "",                           "",         "api-extensions", 36),
  row("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration",     "mutatingwebhookconfigurations",     CLUSTER,    ALL,           "",                           "",         "api-extensions"),
  row("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy",        "validatingadmissionpolicies",       CLUSTER,    ALL,           "status",                     "",         "api-extensions"),
  row("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", CLUSTER,    ALL,           "",                           "",         "api-extensions"),
  row("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration",   "validatingwebhookconfigurations",   CLUSTER,    ALL,           "",                           "",         "api-extensions"),
  row("apiextensions.k8s.io/v1",         "CustomResourceDefinition",         "customresourcedefinitions",         CLUSTER,    ALL,           "status",                     "crd crds", "api-extensions"),
  row("scheduling.k8s.io/v1",            "PriorityClass",                    "priorityclasses",                   CLUSTER,    ALL,           "",                           "pc",       ""),
  row("coordination.k8s.io/v1",          "Lease",                            "leases",                            NAMESPACED, ALL,           "",                           "",         ""),
  row("node.k8s.io/v1",                  "RuntimeClass",                     "runtimeclasses",                    CLUSTER,    ALL,           "",                           "",         ""),
  row("discovery.k8s.io/v1",             "EndpointSlice",                    "endpointslices",                    NAMESPACED, ALL,           "",                           "",         ""),
  row("resource.k8s.io/v1",              "DeviceClass",                      "deviceclasses",                     CLUSTER,    ALL,           "",                           "",         "", 34),
  row("resource.k8s.io/v1",              "DeviceTaintRule",                  "devicetaintrules",                  CLUSTER,    ALL,           "status",                     "",         "", 37),
  row("resource.k8s.io/v1",              "ResourceClaim",                    "resourceclaims",                    NAMESPACED, ALL,           "status",                     "",         "", 34),
  row("resource.k8s.io/v1",              "ResourceClaimTemplate",            "resourceclaimtemplates",            NAMESPACED, ALL,           "",                           "",         "", 34),
  row("resource.k8s.io/v1",              "ResourceSlice",                    "resourceslices",                    CLUSTER,    ALL,           "",                           "",         "", 34),
  row("flowcontrol.apiserver.k8s.io/v1", "FlowSchema",                       "flowschemas",                       CLUSTER,    ALL,           "status",                     "",         ""),
  row("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration",       "prioritylevelconfigurations",       CLUSTER,    ALL,           "status",                     "",         ""),
  row("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema",                  "flowschemas",                       CLUSTER,    ALL,           "status",                     "",         "", 0, 31),
  row("flowcontrol.apiserver.k8s.io/v1beta3", "PriorityLevelConfiguration",  "prioritylevelconfigurations",       CLUSTER,    ALL,           "status",                     "",         "", 0, 31),
  row("storagemigration.k8s.io/v1",      "StorageVersionMigration",          "storageversionmigrations",          CLUSTER,    ALL,           "status",                     "",         "", 37),
];

/** Subresources that are newer than their resource. */
const NEWER_SUBRESOURCES: Readonly<Record<string, number>> = { "Pod resize": 33, "CSINode status": 37 };

/** The resources of a version: the rows, and the same by kind. */
interface Served {
  readonly resources: readonly ServedBuiltin[];
  readonly byKind: ReadonlyMap<string, ServedBuiltin>;
}

const served = new Map<number, Served>();

/** Every resource that kube-apiserver serves with its default settings. */
export function servedResources(minor?: Minor): readonly ServedBuiltin[] {
  return servedAt(minor).resources;
}

/** The resource of a kind that is served; undefined for any other. */
export function servedKind(apiVersion: string, kind: string, minor?: Minor): ServedBuiltin | undefined {
  return servedAt(minor).byKind.get(`${apiVersion}/${kind}`);
}

function servedAt(minor: Minor | undefined): Served {
  const { number } = emulationOf(minor);
  let known = served.get(number);
  if (known === undefined) {
    const resources = RESOURCES.filter(({ from, until }) => from <= number && number <= until).map(({ resource }) => {
      const subresources = resource.subresources.filter(
        ({ name }) => (NEWER_SUBRESOURCES[`${resource.kind} ${name}`] ?? 0) <= number,
      );
      return subresources.length === resource.subresources.length ? resource : { ...resource, subresources };
    });
    const byKind = new Map(resources.map((resource) => [`${resource.apiVersion}/${resource.kind}`, resource]));
    known = { resources, byKind };
    served.set(number, known);
  }
  return known;
}

function row(
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced: boolean,
  verbs: readonly string[],
  subresources: string,
  shortNames: string,
  categories: string,
  from = 0,
  until: number = Number.POSITIVE_INFINITY,
): Row {
  const slash = apiVersion.indexOf("/");
  const resource: ServedBuiltin = {
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    apiVersion,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: words(shortNames),
    categories: words(categories),
    namespaced,
    verbs,
    subresources: words(subresources).map((name) => subresource(name, apiVersion, kind)),
  };
  return { resource, from, until };
}

function subresource(name: string, apiVersion: string, kind: string): ServedBuiltinSubresource {
  const [verbs, bodyVersion, bodyKind] = SUBRESOURCES[name]!;
  // A proxy subresource has options of its own per resource.
  if (name === "proxy") return { name, verbs, apiVersion: "v1", kind: `${kind}ProxyOptions` };
  return { name, verbs, apiVersion: bodyVersion ?? apiVersion, kind: bodyKind ?? kind };
}

function words(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}
