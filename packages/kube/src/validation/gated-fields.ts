// Fields of feature gates that are off: a server drops them from the input, before it validates. One table of fields, by the kinds and the
// parts of kinds that have them.

import type { Emulation } from "../emulation.ts";
import type { Gate } from "../gates.ts";
import type { KubeObject } from "../metadata.ts";

/**
 * A field, its gate, the minor before which it was kept all the same, and the value it gets if it is not removed. Names are separated by dots,
 * lists on the way are walked.
 */
type Gated = readonly [path: string, gate: Gate, droppedSince?: number, instead?: string];

/** Fields of each container of a pod. */
// biome-ignore format: one field per line
const CONTAINER: readonly Gated[] = [
  ["env.valueFrom.fileKeyRef",            "EnvFiles"],
  ["lifecycle.postStart.httpGet.protocol", "H2CContainerProbe"],
  ["lifecycle.preStop.httpGet.protocol",  "H2CContainerProbe"],
  ["livenessProbe.grpc.mode",             "GRPCContainerProbeTLS"],
  ["livenessProbe.httpGet.protocol",      "H2CContainerProbe"],
  ["readinessProbe.grpc.mode",            "GRPCContainerProbeTLS"],
  ["readinessProbe.httpGet.protocol",     "H2CContainerProbe"],
  ["resizePolicy",                        "InPlacePodVerticalScaling"],
  ["resources.claims",                    "DynamicResourceAllocation"],
  ["restartPolicyRules",                  "ContainerRestartRules"],
  ["securityContext.procMount",           "ProcMountType", 0, "Default"],
  ["startupProbe.grpc.mode",              "GRPCContainerProbeTLS"],
  ["startupProbe.httpGet.protocol",       "H2CContainerProbe"],
  ["volumeMounts.bindMountOptions",       "VolumeBindMountOptions"],
  ["volumeMounts.recursiveReadOnly",      "RecursiveReadOnlyMounts"],
];

const AFFINITY_TERMS = [
  "podAffinity.requiredDuringSchedulingIgnoredDuringExecution",
  "podAffinity.preferredDuringSchedulingIgnoredDuringExecution.podAffinityTerm",
  "podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution",
  "podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.podAffinityTerm",
];

/** Fields of a pod's specification, wherever it stands. */
// biome-ignore format: one field per line
const POD_SPEC: readonly Gated[] = [
  ["evictionResponders",                       "EvictionRequestAPI"],
  ["hostUsers",                                "UserNamespacesSupport"],
  ["hostnameOverride",                         "HostnameOverride"],
  ["resourceClaims",                           "DynamicResourceAllocation"],
  ["resources",                                "PodLevelResources"],
  ["schedulingGroup",                          "GenericWorkload"],
  ["securityContext.seLinuxChangePolicy",      "SELinuxChangePolicy"],
  ["securityContext.supplementalGroupsPolicy", "SupplementalGroupsPolicy"],
  ["volumes.configMap.defaultUser",            "AtomicWriteVolumeUserFields"],
  ["volumes.downwardAPI.defaultUser",          "AtomicWriteVolumeUserFields"],
  ["volumes.emptyDir.mode",                    "EmptyDirVolumeMode"],
  ["volumes.ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName", "VolumeAttributesClass"],
  ["volumes.projected.defaultUser",            "AtomicWriteVolumeUserFields"],
  ["volumes.projected.sources.clusterTrustBundle", "ClusterTrustBundleProjection"],
  ["volumes.projected.sources.podCertificate", "PodCertificateRequest"],
  ["volumes.secret.defaultUser",               "AtomicWriteVolumeUserFields"],
  ["workloadRef",                              "GenericWorkload"],
  ...AFFINITY_TERMS.flatMap((term): Gated[] => [
    [`affinity.${term}.matchLabelKeys`,    "MatchLabelKeysInPodAffinity"],
    [`affinity.${term}.mismatchLabelKeys`, "MatchLabelKeysInPodAffinity"],
  ]),
  ...["containers", "initContainers", "ephemeralContainers"].flatMap((list) => below(list, CONTAINER)),
];

// biome-ignore format: one field per line
const JOB_SPEC: readonly Gated[] = [
  ["managedBy",     "JobManagedBy"],
  ["scheduling",    "WorkloadWithJob"],
  ["successPolicy", "JobSuccessPolicy"],
  ...below("template.spec", POD_SPEC),
];

// biome-ignore format: one field per line
const DEVICE_REQUEST: readonly Gated[] = [
  ["adminAccess",       "DRAAdminAccess"],
  ["capacity",          "DRAConsumableCapacity"],
  ["derivedAttributes", "DRADerivedAttributes"],
  ["tolerations",       "DRADeviceTaints", 35],
];

// biome-ignore format: one field per line
const CLAIM_SPEC: readonly Gated[] = [
  ["devices.constraints.distinctAttribute", "DRAConsumableCapacity"],
  ...below("devices.requests.exactly", DEVICE_REQUEST),
  ...below("devices.requests.firstAvailable", DEVICE_REQUEST),
];

const TEMPLATED = below("spec.template.spec", POD_SPEC);

// biome-ignore format: one kind per line
const KINDS: Readonly<Record<string, readonly Gated[]>> = {
  CSIDriver:               [["spec.nodeAllocatableUpdatePeriodSeconds", "MutableCSINodeAllocatableCount"], ["spec.serviceAccountTokenInSecrets", "CSIServiceAccountTokenSecrets"]],
  CronJob:                 below("spec.jobTemplate.spec", JOB_SPEC),
  DaemonSet:               TEMPLATED,
  Deployment:              TEMPLATED,
  DeviceClass:             [["spec.extendedResourceName", "DRAExtendedResource"]],
  EndpointSlice:           [["endpoints.hints.forNodes", "PreferSameTrafficDistribution"]],
  HorizontalPodAutoscaler: [["spec.behavior.scaleDown.tolerance", "HPAConfigurableTolerance"], ["spec.behavior.scaleUp.tolerance", "HPAConfigurableTolerance"]],
  Job:                     below("spec", JOB_SPEC),
  Lease:                   [["spec.preferredHolder", "CoordinatedLeaderElection"], ["spec.strategy", "CoordinatedLeaderElection"]],
  Node:                    [["spec.podPreemptionPolicy", "InPlacePodVerticalScalingSchedulerPreemption"]],
  PersistentVolume:        [["spec.volumeAttributesClassName", "VolumeAttributesClass", 31]],
  PersistentVolumeClaim:   [["spec.volumeAttributesClassName", "VolumeAttributesClass"]],
  Pod:                     below("spec", POD_SPEC),
  PodTemplate:             below("template.spec", POD_SPEC),
  ReplicaSet:              TEMPLATED,
  ReplicationController:   TEMPLATED,
  ResourceClaim:           below("spec", CLAIM_SPEC),
  ResourceClaimTemplate:   below("spec.spec", CLAIM_SPEC),
  ResourceSlice: [
    ["spec.devices.allNodes",                 "DRAPartitionableDevices"],
    ["spec.devices.allowMultipleAllocations", "DRAConsumableCapacity"],
    ["spec.devices.bindingConditions",        "DRADeviceBindingConditions"],
    ["spec.devices.bindingFailureConditions", "DRADeviceBindingConditions"],
    ["spec.devices.bindsToNode",              "DRADeviceBindingConditions"],
    ["spec.devices.consumesCounters",         "DRAPartitionableDevices"],
    ["spec.devices.nodeAllocatableResources", "DRANodeAllocatableResources"],
    ["spec.devices.nodeName",                 "DRAPartitionableDevices"],
    ["spec.devices.nodeSelector",             "DRAPartitionableDevices"],
    ["spec.devices.taints",                   "DRADeviceTaints"],
    ["spec.perDeviceNodeSelection",           "DRAPartitionableDevices"],
    ["spec.sharedCounters",                   "DRAPartitionableDevices"],
  ],
  Service:                 [["spec.trafficDistribution", "ServiceTrafficDistribution"]],
  StatefulSet:             [...TEMPLATED, ["spec.volumeClaimTemplates.spec.volumeAttributesClassName", "VolumeAttributesClass"]],
};

function below(path: string, fields: readonly Gated[]): Gated[] {
  return fields.map(([field, ...rest]) => [`${path}.${field}`, ...rest]);
}

/** Fields to drop by name; true for a dropped one, the text it gets, or its members. */
interface Drops {
  readonly [field: string]: Drops | string | true;
}

/** The fields that each server drops from each kind. */
const drops = new Map<string, Drops>();

/** The object without the fields of gates that are off; the same object where it has none. */
export function withoutGatedFields(object: KubeObject, by: Emulation): KubeObject {
  const fields = KINDS[object.kind ?? ""];
  if (fields === undefined) return object;
  const key = `${by.minor} ${object.kind}`;
  let tree = drops.get(key);
  if (tree === undefined) {
    tree = treeOf(fields.filter(([, gate, since = 0]) => !by.enables(gate) && by.since(since)));
    drops.set(key, tree);
  }
  return without(object, tree) as KubeObject;
}

function treeOf(fields: readonly Gated[]): Drops {
  const root: Record<string, Drops[string]> = {};
  for (const [path, , , instead = true as const] of fields) {
    const names = path.split(".");
    const last = names.pop()!;
    let at = root;
    for (const name of names) at = (at[name] ??= {}) as Record<string, Drops[string]>;
    at[last] = instead;
  }
  return root;
}

function without(value: unknown, tree: Drops): unknown {
  if (Array.isArray(value)) {
    const list = value.map((item) => without(item, tree));
    return list.some((item, i) => item !== value[i]) ? list : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  let changed: Record<string, unknown> | undefined;
  for (const name in tree) {
    if (!Object.hasOwn(given, name) || given[name] === undefined) continue;
    const inner = tree[name]!;
    const kept = inner === true ? undefined : typeof inner === "string" ? inner : without(given[name], inner);
    if (kept === given[name]) continue;
    changed ??= { ...given };
    if (kept === undefined) delete changed[name];
    else changed[name] = kept;
  }
  return changed ?? value;
}
