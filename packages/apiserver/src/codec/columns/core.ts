// The columns of the core kinds, beside pods.

import type { KubeObject } from "@celadon/kube";
import type { Event, Node, PersistentVolume, PersistentVolumeClaim, Service } from "@celadon/kube/api/core-v1";
import {
  AGE,
  ageOf,
  at,
  balancers,
  type Cell,
  type Column,
  containers,
  type Fields,
  firstOf,
  labels,
  listAt,
  NAME,
  NONE,
  sizeOf,
  text,
  UNSET,
  wide,
  workload,
} from "./cells.ts";
import { POD } from "./pod.ts";

const MODES = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

const modesOf = (modes: readonly string[] = []): string =>
  MODES.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(",");

/** Volumes and claims under deletion are terminating in every phase. */
const phase: Cell = (object, now) =>
  object.metadata?.deletionTimestamp ? "Terminating" : at("status.phase")(object, now);

const volumeClass = (object: KubeObject): unknown =>
  object.metadata?.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? at("spec.storageClassName")(object, 0);

function claimOf({ spec }: PersistentVolume): string {
  const { namespace = "", name = "" } = spec?.claimRef ?? {};
  return spec?.claimRef === undefined ? "" : `${namespace}/${name}`;
}

const boundOnly =
  (show: (claim: PersistentVolumeClaim) => unknown): Cell =>
  (object) =>
    at("spec.volumeName")(object, 0) === "" ? "" : show(object as PersistentVolumeClaim);

function nodeStatus({ status, spec }: Node): string {
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  const word = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

const ROLE = "node-role.kubernetes.io/";

function nodeRoles({ metadata }: Node): string {
  const roles = Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE)) return [key.slice(ROLE.length)];
    return key === "kubernetes.io/role" ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ""))].sort().join(",") || NONE;
}

const nodeAddress =
  (type: string): Cell =>
  (object) =>
    (object as Node).status?.addresses?.find((address) => address.type === type)?.address ?? NONE;

function kernel(object: KubeObject): string {
  const { kernelVersion, architecture } = (object as Node).status?.nodeInfo ?? {};
  return `${kernelVersion || "<unknown>"}${architecture ? ` (${architecture})` : ""}`;
}

function externalAddress(object: KubeObject): string {
  const { type, externalIPs = [], externalName = "" } = (object as Service).spec ?? {};
  switch (type) {
    case "ExternalName":
      return externalName;
    case "LoadBalancer":
      return [...balancers(object).split(","), ...externalIPs].filter(Boolean).join(",") || "<pending>";
    case "ClusterIP":
    case "NodePort":
      return externalIPs.join(",") || NONE;
    default:
      return "<unknown>";
  }
}

const servicePorts: Cell = (object) =>
  ((object as Service).spec?.ports ?? [])
    .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`)
    .join(",") || NONE;

function endpoints(object: KubeObject): string {
  const found = listAt(object, "subsets").flatMap(({ addresses = [], ports = [] }) => {
    const ips = (addresses as { ip: string }[]).map(({ ip }) => (ip.includes(":") ? `[${ip}]` : ip));
    if ((ports as unknown[]).length === 0) return (addresses as { ip: string }[]).map(({ ip }) => ip);
    return (ports as { port: number }[]).flatMap(({ port }) => ips.map((ip) => `${ip}:${port}`));
  });
  return firstOf(found, 3, NONE);
}

const firstSeen = (event: Event, now: number): string =>
  ageOf((event.firstTimestamp ?? event.eventTime ?? undefined) as string | undefined, now);

function lastSeen(event: Event, now: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime as string | undefined, now);
  return event.lastTimestamp ? ageOf(event.lastTimestamp as string, now) : firstSeen(event, now);
}

function target({ involvedObject }: Event): string {
  const kind = (involvedObject?.kind ?? "").toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceOf({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source?.component || reportingComponent || "";
  const instance = source?.host || reportingInstance || "";
  return instance === "" ? component : `${component}, ${instance}`;
}

const EVENT: readonly Column[] = [
  ["Last Seen", (object, now) => lastSeen(object as Event, now)],
  ["Type", at("type")],
  ["Reason", at("reason")],
  ["Object", (object) => target(object as Event)],
  wide("Subobject", at("involvedObject.fieldPath")),
  wide("Source", (object) => sourceOf(object as Event)),
  ["Message", (object) => String(at("message")(object, 0)).trim()],
  wide("First Seen", (object, now) => firstSeen(object as Event, now)),
  wide("Count", (object) => (object as Event).series?.count ?? ((object as Event).count || 1)),
  wide("Name", (object) => object.metadata?.name ?? ""),
];

/** The amounts of a quota: used and hard amounts, of requests or of limits. */
const quota =
  (ofLimits: boolean): Cell =>
  (object) => {
    const hard = at("status.hard", {})(object, 0) as Fields;
    const used = at("status.used", {})(object, 0) as Fields;
    const names = Object.keys(hard).filter((name) => name.startsWith("limits.") === ofLimits);
    return names
      .sort()
      .map((name) => `${name}: ${used[name] ?? "0"}/${hard[name]}`)
      .join(", ");
  };

// biome-ignore format: one kind per line
export const CORE: Readonly<Record<string, readonly Column[]>> = {
  "v1/ComponentStatus": [NAME, ["Status", (object) => { const [condition] = listAt(object, "conditions"); return condition === undefined ? "Unknown" : condition.status === "True" ? "Healthy" : "Unhealthy"; }], ["Message", (object) => listAt(object, "conditions")[0]?.message ?? ""], ["Error", (object) => listAt(object, "conditions")[0]?.error ?? ""]],
  "v1/ConfigMap": [NAME, ["Data", (object, now) => (sizeOf("data")(object, now) as number) + (sizeOf("binaryData")(object, now) as number)], AGE],
  "v1/Endpoints": [NAME, ["Endpoints", endpoints], AGE],
  "v1/Event": EVENT,
  "events.k8s.io/v1/Event": EVENT,
  "v1/Namespace": [NAME, ["Status", at("status.phase")], AGE],
  "v1/Node": [NAME, ["Status", (object) => nodeStatus(object as Node)], ["Roles", (object) => nodeRoles(object as Node)], AGE, ["Version", at("status.nodeInfo.kubeletVersion")], wide("Internal-IP", nodeAddress("InternalIP")), wide("External-IP", nodeAddress("ExternalIP")), wide("OS-Image", text("status.nodeInfo.osImage", "<unknown>")), wide("Kernel-Version", kernel), wide("Container-Runtime", text("status.nodeInfo.containerRuntimeVersion", "<unknown>"))],
  "v1/PersistentVolume": [NAME, ["Capacity", at("spec.capacity.storage", "0")], ["Access Modes", (object) => modesOf((object as PersistentVolume).spec?.accessModes)], ["Reclaim Policy", at("spec.persistentVolumeReclaimPolicy")], ["Status", phase], ["Claim", (object) => claimOf(object as PersistentVolume)], ["StorageClass", volumeClass], ["VolumeAttributesClass", at("spec.volumeAttributesClassName", UNSET)], ["Reason", at("status.reason")], AGE, wide("VolumeMode", at("spec.volumeMode", UNSET))],
  "v1/PersistentVolumeClaim": [NAME, ["Status", phase], ["Volume", at("spec.volumeName")], ["Capacity", boundOnly(({ status }) => status?.capacity?.storage ?? "0")], ["Access Modes", boundOnly(({ status }) => modesOf(status?.accessModes))], ["StorageClass", volumeClass], ["VolumeAttributesClass", at("spec.volumeAttributesClassName", UNSET)], AGE, wide("VolumeMode", at("spec.volumeMode", UNSET))],
  "v1/Pod": POD,
  "v1/PodTemplate": [NAME, ["Containers", containers("template", "name")], ["Images", containers("template", "image")], ["Pod Labels", labels("template.metadata.labels")]],
  "v1/ReplicationController": [NAME, ["Desired", at("spec.replicas", 0), "integer"], ["Current", at("status.replicas", 0), "integer"], ["Ready", at("status.readyReplicas", 0), "integer"], AGE, ...workload("spec.template", labels("spec.selector"))],
  "v1/ResourceQuota": [NAME, ["Request", quota(false)], ["Limit", quota(true)], AGE],
  "v1/Secret": [NAME, ["Type", at("type")], ["Data", sizeOf("data")], AGE],
  "v1/Service": [NAME, ["Type", at("spec.type")], ["Cluster-IP", (object) => (object as Service).spec?.clusterIPs?.[0] ?? NONE], ["External-IP", externalAddress], ["Port(s)", servicePorts], AGE, wide("Selector", labels("spec.selector"))],
  "v1/ServiceAccount": [NAME, AGE],
};
