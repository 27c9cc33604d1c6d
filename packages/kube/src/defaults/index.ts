// Reads an object of a built-in kind as a server does, before admission sees it: `@celadon/kube/defaults`. It passes through its type, gets
// defaults, and shows what conversion through the internal version changes. One row per kind, as Kubernetes 1.36 has them. Not here: what
// controllers and admission plugins add (the account of a pod, the selector of a job), and what depends on the cluster (a default storage
// class, cluster IPs).

import { type Emulation, emulationOf } from "../emulation.ts";
import { type Decoded, type DecodedBody, type DecodeKind, decode, decodeBody } from "../types/index.ts";
import { CURRENT, type Minor } from "../versions.ts";
import * as autoscaling from "./autoscaling.ts";
import * as core from "./core.ts";
import * as groups from "./groups.ts";
import { pod, podTemplate } from "./pod.ts";
import { isStruct, ofStruct, type Rule } from "./rules.ts";
import * as workloads from "./workloads.ts";

export { autoscalerIn } from "../autoscaling/versions.ts";

// biome-ignore format: one kind per line
const KINDS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["v1/Pod",                                   ofStruct(pod)],
  ["v1/PodTemplate",                           ofStruct({ template: podTemplate })],
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
  ["v1/Node",                                  core.node],
  ["v1/LimitRange",                            core.limitRange],
  ["v1/ResourceQuota",                         core.resourceQuota],
  ["v1/Endpoints",                             core.endpoints],

  ["rbac.authorization.k8s.io/v1/RoleBinding",         groups.roleBinding],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding",  groups.roleBinding],
  ["autoscaling/v2/HorizontalPodAutoscaler",           autoscaling.autoscaler],
  ["autoscaling/v1/HorizontalPodAutoscaler",           autoscaling.autoscalerV1],
  ["networking.k8s.io/v1/NetworkPolicy",               groups.networkPolicy],
  ["networking.k8s.io/v1/IngressClass",                groups.ingressClass],
  ["storage.k8s.io/v1/StorageClass",                   groups.storageClass],
  ["storage.k8s.io/v1/CSIDriver",                      groups.csiDriver],
  ["storage.k8s.io/v1/VolumeAttachment",               groups.volumeAttachment],
  ["policy/v1/PodDisruptionBudget",                    groups.disruptionBudget],
  ["authentication.k8s.io/v1/TokenRequest",            groups.tokenRequest],
  ["apiregistration.k8s.io/v1/APIService",             groups.apiService],
  ["scheduling.k8s.io/v1/PriorityClass",               groups.priorityClass],
  ["discovery.k8s.io/v1/EndpointSlice",                groups.endpointSlice],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema",                 groups.flowSchema],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", groups.priorityLevel],
  ["resource.k8s.io/v1/ResourceClaim",                 groups.resourceClaim],
  ["resource.k8s.io/v1/ResourceClaimTemplate",         groups.resourceClaimTemplate],
  ["resource.k8s.io/v1/ResourceSlice",                 groups.resourceSlice],

  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",   groups.validatingWebhooks],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",     groups.mutatingWebhooks],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",        groups.admissionPolicy],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", groups.admissionBinding],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy",          groups.admissionPolicy],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding",   groups.admissionBinding],
]);

const RECEIVED = { keepEmpty: true, unordered: true } as const;

/**
 * An object as a server receives it: through its type, with defaults, and with what conversion through the internal version
 * changes. Undefined if the kind is not built in.
 */
export function receive(of: DecodeKind, object: unknown, minor: Minor = CURRENT): Decoded | undefined {
  const decoded = decode(of, object, { ...RECEIVED, minor });
  if (decoded?.object !== undefined) applyDefaults(decoded.object, minor);
  return decoded;
}

/** The same from the text of a request's body, which may omit the expected kind. */
export function receiveBody(text: string, expected: DecodeKind, minor: Minor = CURRENT): DecodedBody {
  const decoded = decodeBody(text, expected, { ...RECEIVED, minor });
  if (decoded.object !== undefined) applyDefaults(decoded.object, minor);
  return decoded;
}

/**
 * Fills in defaults, and what conversion changes. The object has to be one that `decode` gave, and is filled in place; objects of
 * other kinds stay as they are.
 */
export function applyDefaults<T>(object: T, minor?: Minor): T {
  if (!isStruct(object)) return object;
  const rule = KINDS.get(`${object.apiVersion as string}/${object.kind as string}`);
  const by = emulationOf(minor);
  if (rule !== undefined) rule(object, by);
  else fillItems(object, by);
  return object;
}

/** Lists of built-in kinds are lists of the kind. */
function fillItems(list: Record<string, unknown>, by: Emulation): void {
  if (typeof list.kind !== "string" || !list.kind.endsWith("List") || !Array.isArray(list.items)) return;
  const rule = KINDS.get(`${list.apiVersion as string}/${list.kind.slice(0, -"List".length)}`);
  if (rule !== undefined) for (const item of list.items) rule(item, by);
}

/** The object as a server reads it; the same object where its kind is not built in, or it cannot be decoded. */
export function withServerDefaults<T>(object: T, minor?: Minor): T {
  if (!isStruct(object)) return object;
  const { apiVersion, kind } = object;
  // Anything may stand there before a server has looked.
  if (typeof apiVersion !== "string" || typeof kind !== "string") return object;
  return (receive({ apiVersion, kind }, object, minor)?.object as T | undefined) ?? object;
}
