// What a server fills in when it reads an object of a built-in kind, before admission sees it: `@celadon/kube/defaults`.
// One row per kind, as Kubernetes 1.36 has them. Not here: what controllers and admission plugins add (the account of a
// pod, the selector of a job), status, and what depends on the cluster (a default storage class, cluster IPs).

import { isRecord } from "@celadon/base";
import * as core from "./core.ts";
import * as groups from "./groups.ts";
import { pod, podTemplate } from "./pod.ts";
import { get, type Rule, within } from "./rules.ts";
import * as workloads from "./workloads.ts";

// biome-ignore format: one kind per line
const KINDS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["v1/Pod",                                   within(pod)],
  ["v1/PodTemplate",                           within({ template: podTemplate })],
  ["v1/ReplicationController",                 workloads.replicationController],
  ["apps/v1/Deployment",                       workloads.deployment],
  ["apps/v1/DaemonSet",                        workloads.daemonSet],
  ["apps/v1/StatefulSet",                      workloads.statefulSet],
  ["apps/v1/ReplicaSet",                       workloads.replicaSet],
  ["batch/v1/Job",                             workloads.job],
  ["batch/v1/CronJob",                         workloads.cronJob],

  ["v1/Service",                               core.service],
  ["v1/Secret",                                core.secret],
  ["v1/PersistentVolume",                      core.persistentVolume],
  ["v1/PersistentVolumeClaim",                 core.persistentVolumeClaim],
  ["v1/Namespace",                             core.namespace],
  ["v1/LimitRange",                            core.limitRange],
  ["v1/ResourceQuota",                         core.resourceQuota],
  ["v1/Endpoints",                             core.endpoints],

  ["rbac.authorization.k8s.io/v1/Role",                groups.role],
  ["rbac.authorization.k8s.io/v1/ClusterRole",         groups.role],
  ["rbac.authorization.k8s.io/v1/RoleBinding",         groups.roleBinding],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding",  groups.roleBinding],
  ["autoscaling/v2/HorizontalPodAutoscaler",           groups.autoscaler],
  ["autoscaling/v1/HorizontalPodAutoscaler",           groups.autoscalerV1],
  ["networking.k8s.io/v1/NetworkPolicy",               groups.networkPolicy],
  ["networking.k8s.io/v1/IngressClass",                groups.ingressClass],
  ["storage.k8s.io/v1/StorageClass",                   groups.storageClass],
  ["storage.k8s.io/v1/CSIDriver",                      groups.csiDriver],
  ["scheduling.k8s.io/v1/PriorityClass",               groups.priorityClass],
  ["discovery.k8s.io/v1/EndpointSlice",                groups.endpointSlice],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema",                 groups.flowSchema],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", groups.priorityLevel],
  ["resource.k8s.io/v1/ResourceClaim",                 groups.resourceClaim],
  ["resource.k8s.io/v1/ResourceClaimTemplate",         groups.resourceClaimTemplate],

  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",   groups.validatingWebhooks],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",     groups.mutatingWebhooks],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",        groups.admissionPolicy],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", groups.admissionBinding],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy",          groups.admissionPolicy],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding",   groups.admissionBinding],
]);

/** The object with a server's defaults; the same object if it needs none, or is of no kind that has any. */
export function withServerDefaults<T>(object: T): T {
  if (!isRecord(object)) return object;
  const [apiVersion, kind] = [get(object, "apiVersion"), get(object, "kind")];
  // Anything may stand there before a server has looked.
  if (typeof apiVersion !== "string" || typeof kind !== "string") return object;
  const rule = KINDS.get(`${apiVersion}/${kind}`);
  return rule === undefined ? object : (rule(object) as T);
}
