// The fields that a server sets before validating admission sees an object: a generated name, uid, creation time, generation, and the
// status, which is not the client's to set. There is no clock and no chance here: generated values are the same every time. The strategies
// of Kubernetes 1.36 do the same, kind by kind. Not here: what plugins and controllers add.

import { isRecord, own } from "@celadon/base";
import { gvkOf, type KubeObject, metadataOf } from "@celadon/kube";
import { countsGeneration } from "@celadon/write/strategy";

type Fields = Readonly<Record<string, unknown>>;

/** The suffix of generated names; a server takes five such letters by chance. */
export const NAME_LETTERS = "xxxxx";
/** The values that a server would take from chance and clock. */
export const UID = "00000000-0000-4000-8000-000000000000";
export const CREATED = "2000-01-01T00:00:00Z";
const VERSION = "1";

/** Metadata of an object that is created: the server's fields are overwritten, the client's kept. */
export function withCreatedMetadata(object: KubeObject, more: Fields = {}): KubeObject {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...given } = metadataOf(object);
  const name = given.name || (typeof given.generateName === "string" && given.generateName !== "" && nameFrom(given));
  return withMetadata(object, { ...given, ...(name && { name }), uid: UID, creationTimestamp: CREATED, ...more });
}

function nameFrom({ generateName }: Fields): string {
  // A name has room for 63 characters; a longer prefix is cut before the generated letters.
  return `${String(generateName).slice(0, 63 - NAME_LETTERS.length)}${NAME_LETTERS}`;
}

/** An existing object: fields that every stored object has, where the manifest lacks them. */
export function withStoredMetadata(object: KubeObject, more: Fields = {}): KubeObject {
  const given = metadataOf(object);
  const system = { uid: UID, creationTimestamp: CREATED, resourceVersion: VERSION, ...more };
  const missing = Object.entries(system).filter(([key]) => !given[key]);
  return missing.length === 0 ? object : withMetadata(object, { ...given, ...Object.fromEntries(missing) });
}

/** An object as its author wrote it: without a name and a uid that were made up here. */
export function withoutMadeUp(object: KubeObject): KubeObject {
  const { uid, name, ...rest } = metadataOf(object);
  if (uid !== UID) return object;
  const isGenerated = typeof rest.generateName === "string" && name === nameFrom(rest);
  return withMetadata(object, isGenerated ? rest : { ...rest, ...(name !== undefined && { name }) });
}

function withMetadata(object: KubeObject, metadata: Fields): KubeObject {
  return { ...object, metadata } as KubeObject;
}

/** An object of a built-in kind as a create stores it. */
export function builtinCreated(object: KubeObject): KubeObject {
  const kind = kindKey(object);
  const made = withCreatedMetadata(object, countsGeneration(object) ? { generation: 1 } : {});
  return withCreatedStatus(made, kind);
}

function withCreatedStatus(object: KubeObject, kind: string): KubeObject {
  const status = STATUS.get(kind);
  const spec = kind === "/Namespace" ? { spec: withFinalizer(object.spec) } : {};
  return status === undefined ? object : { ...object, ...spec, status };
}

function withFinalizer(spec: unknown): unknown {
  const given = isRecord(spec) ? spec : {};
  const finalizers = Array.isArray(given.finalizers) ? given.finalizers : [];
  return finalizers.includes("kubernetes") ? given : { ...given, finalizers: [...finalizers, "kubernetes"] };
}

/** The same for an existing object. */
export function builtinStored(object: KubeObject): KubeObject {
  const kind = kindKey(object);
  const stored = withStoredMetadata(object, countsGeneration(object) ? { generation: 1 } : {});
  return isRecord(stored.status) ? stored : withCreatedStatus(stored, kind);
}

/** An object of a built-in kind as an update of `old` stores it; `old` is as it is stored. */
export function builtinUpdated(object: KubeObject, old: KubeObject, subresource: string): KubeObject {
  const kind = kindKey(object);
  const changed = withKept(object, old, subresource, kind);
  const { generation } = metadataOf(old);
  const counts = countsGeneration(object) && subresource !== "status" && differs(changed, old, kind);
  return withMetadata(changed, inherited(changed, old, counts ? Number(generation ?? 0) + 1 : generation));
}

/** The fields that the endpoint does not change. */
function withKept(object: KubeObject, old: KubeObject, subresource: string, kind: string): KubeObject {
  switch (subresource) {
    case "":
      return STATUS.has(kind) || kind === "/Node" ? withOld(object, old, "status") : object;
    case "status":
      return withOld(object, old, "spec");
    case "ephemeralcontainers": {
      const { ephemeralContainers } = isRecord(object.spec) ? object.spec : {};
      const spec = { ...(isRecord(old.spec) ? old.spec : {}), ephemeralContainers };
      if (ephemeralContainers === undefined) delete spec.ephemeralContainers;
      return { ...object, spec, status: old.status };
    }
    default:
      return withOld(object, old, "status");
  }
}

function withOld(object: KubeObject, old: KubeObject, field: "spec" | "status"): KubeObject {
  const { [field]: _, ...rest } = object;
  return Object.hasOwn(old, field) ? { ...rest, [field]: old[field] } : rest;
}

function inherited(object: KubeObject, old: KubeObject, generation: unknown): Fields {
  const given: Record<string, unknown> = { ...metadataOf(object) };
  const kept = metadataOf(old);
  for (const key of ["uid", "resourceVersion", "deletionGracePeriodSeconds"])
    if (!given[key] && kept[key]) given[key] = kept[key];
  for (const key of ["creationTimestamp", "deletionTimestamp"]) if (kept[key]) given[key] = kept[key];
  if (generation === undefined) delete given.generation;
  else given.generation = generation;
  return given;
}

function differs(object: KubeObject, old: KubeObject, kind: string): boolean {
  if (kind === "apps/Deployment" && !same(metadataOf(object).annotations, metadataOf(old).annotations)) return true;
  const { metadata: _, status: __, apiVersion: ___, ...rest } = object;
  const { metadata: ____, status: _____, apiVersion: ______, ...before } = old;
  return !same(rest, before);
}

/** Empty and absent are the same to Go. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || a === null) return isRecord(b) && Object.keys(b).length === 0;
  if (b === undefined || b === null) return same(b, a);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(own(a, key), own(b, key)));
}

function kindKey(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}`;
}

/** The status of a new object, with the fields Go writes even when they are zero. A node brings its own. */
const STATUS: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["/Namespace", { phase: "Active" }],
  ["/PersistentVolume", { phase: "Pending" }],
  ["/PersistentVolumeClaim", {}],
  ["/Pod", { phase: "Pending" }],
  ["/ReplicationController", { replicas: 0 }],
  ["/ResourceQuota", {}],
  ["/Service", { loadBalancer: {} }],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", {}],
  ["apps/DaemonSet", { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }],
  ["apps/Deployment", {}],
  ["apps/ReplicaSet", { replicas: 0 }],
  ["apps/StatefulSet", { replicas: 0, availableReplicas: 0 }],
  ["autoscaling/HorizontalPodAutoscaler", { desiredReplicas: 0 }],
  ["batch/CronJob", {}],
  ["batch/Job", {}],
  ["certificates.k8s.io/CertificateSigningRequest", {}],
  ["flowcontrol.apiserver.k8s.io/FlowSchema", {}],
  ["flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", {}],
  ["networking.k8s.io/Ingress", { loadBalancer: {} }],
  ["policy/PodDisruptionBudget", { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }],
  ["resource.k8s.io/ResourceClaim", {}],
  ["storage.k8s.io/VolumeAttachment", { attached: false }],
]);
