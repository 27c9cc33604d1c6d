// The kinds a cluster serves: the built-in ones that the scenarios use, and those that definitions add.

import { type GroupVersionKind, type GroupVersionResource, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { Ref } from "./scenario.ts";

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Names of subresources with the kind their requests carry. */
  readonly subresources: Readonly<Record<string, GroupVersionKind>>;
}

/** One resource as a rule or an authorizer names it. */
export function gvrOf(kind: Kind): GroupVersionResource {
  return { group: kind.group, version: kind.version, resource: kind.resource };
}

export function apiVersionOfKind({ group, version }: Kind): string {
  return group === "" ? version : `${group}/${version}`;
}

export function gvkOfKind(kind: Kind): GroupVersionKind {
  return { group: kind.group, version: kind.version, kind: kind.kind };
}

const SCALE: GroupVersionKind = { group: "autoscaling", version: "v1", kind: "Scale" };
const POD: GroupVersionKind = { group: "", version: "v1", kind: "Pod" };
const POD_SUBRESOURCES: Readonly<Record<string, GroupVersionKind>> = {
  status: POD,
  ephemeralcontainers: POD,
  resize: POD,
  eviction: { group: "policy", version: "v1", kind: "Eviction" },
  binding: { group: "", version: "v1", kind: "Binding" },
  exec: { group: "", version: "v1", kind: "PodExecOptions" },
  attach: { group: "", version: "v1", kind: "PodAttachOptions" },
  portforward: { group: "", version: "v1", kind: "PodPortForwardOptions" },
  proxy: { group: "", version: "v1", kind: "PodProxyOptions" },
};

// biome-ignore format: one kind per line
const NATIVE: readonly (readonly [apiVersion: string, kind: string, resource: string, namespaced: boolean, subresources?: "status" | "scale" | "pod"])[] = [
  ["v1", "Namespace", "namespaces", false, "status"],
  ["v1", "ConfigMap", "configmaps", true],
  ["v1", "Secret", "secrets", true],
  ["v1", "Pod", "pods", true, "pod"],
  ["v1", "Service", "services", true, "status"],
  ["v1", "ServiceAccount", "serviceaccounts", true],
  ["v1", "Event", "events", true],
  ["v1", "Node", "nodes", false, "status"],
  ["v1", "LimitRange", "limitranges", true],
  ["v1", "ResourceQuota", "resourcequotas", true, "status"],
  ["v1", "PersistentVolume", "persistentvolumes", false, "status"],
  ["v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, "status"],
  ["v1", "PodTemplate", "podtemplates", true],
  ["v1", "ReplicationController", "replicationcontrollers", true, "scale"],
  ["v1", "Endpoints", "endpoints", true],
  ["apps/v1", "Deployment", "deployments", true, "scale"],
  ["apps/v1", "ReplicaSet", "replicasets", true, "scale"],
  ["apps/v1", "StatefulSet", "statefulsets", true, "scale"],
  ["apps/v1", "DaemonSet", "daemonsets", true, "status"],
  ["batch/v1", "Job", "jobs", true, "status"],
  ["batch/v1", "CronJob", "cronjobs", true, "status"],
  ["autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true, "status"],
  ["autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true, "status"],
  ["networking.k8s.io/v1", "Ingress", "ingresses", true, "status"],
  ["networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", true],
  ["networking.k8s.io/v1", "IngressClass", "ingressclasses", false],
  ["policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true, "status"],
  ["coordination.k8s.io/v1", "Lease", "leases", true],
  ["events.k8s.io/v1", "Event", "events", true],
  ["scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false],
  ["storage.k8s.io/v1", "StorageClass", "storageclasses", false],
  ["node.k8s.io/v1", "RuntimeClass", "runtimeclasses", false],
  ["certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", false, "status"],
  ["rbac.authorization.k8s.io/v1", "Role", "roles", true],
  ["rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", true],
  ["rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", false],
  ["rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings", false],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", false, "status"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", false, "status"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", false],
  ["admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies", false],
  ["admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", false],
  ["admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", false],
  ["admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", false],
  ["authentication.k8s.io/v1", "TokenReview", "tokenreviews", false],
  ["authentication.k8s.io/v1", "SelfSubjectReview", "selfsubjectreviews", false],
  ["authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews", false],
  ["authorization.k8s.io/v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", false],
  ["authorization.k8s.io/v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews", false],
  ["authorization.k8s.io/v1", "LocalSubjectAccessReview", "localsubjectaccessreviews", true],
];

/** The kinds served, growing and shrinking with definitions. */
export class KindTable {
  private readonly kinds: Kind[] = NATIVE.map(([apiVersion, kind, resource, namespaced, sub]) => {
    const { group, version } = groupVersion(apiVersion);
    const own = { group, version, kind };
    const subresources =
      sub === "pod"
        ? POD_SUBRESOURCES
        : sub === "scale"
          ? { status: own, scale: SCALE }
          : sub === "status"
            ? { status: own }
            : {};
    return { group, version, kind, resource, namespaced, subresources };
  });

  /** Adds a kind, or replaces it. */
  add(kind: Kind): void {
    this.remove(kind);
    this.kinds.push(kind);
  }

  remove({ group, version, kind }: GroupVersionKind): void {
    const at = this.kinds.findIndex((item) => item.group === group && item.version === version && item.kind === kind);
    if (at !== -1) this.kinds.splice(at, 1);
  }

  find(ref: Pick<Ref, "apiVersion" | "kind">): Kind | undefined {
    const { group, version } = groupVersion(ref.apiVersion);
    return this.kinds.find((kind) => kind.group === group && kind.version === version && kind.kind === ref.kind);
  }

  ofResource({ group, version, resource }: GroupVersionResource): Kind | undefined {
    return this.kinds.find((kind) => kind.group === group && kind.version === version && kind.resource === resource);
  }

  all(): readonly Kind[] {
    return this.kinds;
  }

  /** Every version of the resource, and the resources that share its storage. */
  equivalents({ group, resource }: Pick<Kind, "group" | "resource">): readonly Kind[] {
    const shared = resource === "events" && (group === "" || group === "events.k8s.io");
    return this.kinds.filter(
      (kind) => kind.resource === resource && (kind.group === group || (shared && isEvents(kind.group))),
    );
  }
}

function isEvents(group: string): boolean {
  return group === "" || group === "events.k8s.io";
}

export function groupVersion(apiVersion: string): { group: string; version: string } {
  const parsed = parseGroupVersion(apiVersion);
  return parsed instanceof Invalid ? { group: "", version: "" } : parsed;
}
