// Creating, updating and patching: decode, mutate, prepare, validate, admit, store.

import type { KubeObject } from "@celadon/kube";
import { invalidValue } from "@celadon/kube/errors";
import {
  alreadyExists,
  badRequest,
  conflict,
  failure,
  invalidObject,
  notFound,
  type Status,
} from "@celadon/kube/status";
import { admit, type Notes } from "./admission.ts";
import { type Answer, type Call, failed, isStatus, type Place, succeeded } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import type { User, Write } from "./handler.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { gvkOfKind, type Kind } from "./kinds.ts";
import { applyPatch, fieldManager } from "./patch.ts";
import { objectFromScale, presented, scaleOf } from "./scale.ts";

export async function create(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  if (call.subresource) return createSubresource(cluster, kind, place, user, call);
  const write = writeOf(cluster, kind, "CREATE", place, user, call);
  const decoded = decode(call.body, write);
  if (isStatus(decoded)) return failed(decoded, { warnings: write.warnings });
  const metadata = metadataOf(decoded);
  const generated = metadata.name === undefined || metadata.name === "";
  if (generated && typeof metadata.generateName !== "string") {
    return finish(cluster, kind, { ...place, name: "" }, write, withMetadata(decoded, {}), {}, 201);
  }
  const name = generated ? `${String(metadata.generateName)}${suffix(cluster.fresh())}` : String(metadata.name);
  const located = kind.namespaced ? withMetadata(decoded, { namespace: place.namespace }) : decoded;
  const placed = owned(cluster, kind, call, undefined, located);
  // Mutating admission does not see these yet.
  const given = { name, uid: uid(cluster.fresh()), creationTimestamp: "2026-01-01T00:00:00Z" };
  const asked = { ...write, name: generated ? "" : name };
  return finish(cluster, kind, { ...place, name }, asked, placed, given, 201);
}

export async function update(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  const old = cluster.get(kind, place.namespace, place.name);
  if (old === undefined) return failed(notFound(kind, place.name));
  const write = writeOf(cluster, kind, "UPDATE", place, user, call, old);
  const body =
    call.subresource === "scale" && isObject(call.body) ? objectFromScale(cluster, kind, call.body, old) : call.body;
  const decoded = decode(body as Json, write);
  if (isStatus(decoded)) return failed(decoded, { warnings: write.warnings });
  const given = metadataOf(decoded);
  const kept = metadataOf(old);
  if (given.resourceVersion !== undefined && given.resourceVersion !== kept.resourceVersion) {
    const text = "the object has been modified; please apply your changes to the latest version and try again";
    return failed(conflict(kind, place.name, text));
  }
  if (given.resourceVersion === undefined && needsVersion(kind)) {
    const error = invalidValue("metadata.resourceVersion", 0, "must be specified for an update");
    return failed(invalidObject(gvkOfKind(kind), place.name, [error]));
  }
  const located = withMetadata(decoded, {
    uid: kept.uid!,
    creationTimestamp: kept.creationTimestamp!,
    ...(kept.deletionTimestamp === undefined ? {} : { deletionTimestamp: kept.deletionTimestamp }),
    ...(kind.namespaced ? { namespace: place.namespace } : {}),
  });
  const object = owned(cluster, kind, call, old, located);
  return finish(cluster, kind, place, write, object, {}, 200);
}

export async function patch(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  const old = cluster.get(kind, place.namespace, place.name);
  if (call.patchType === "apply") {
    const applied = applyConfiguration(cluster, kind, call, old);
    if (isStatus(applied)) return failed(applied);
    const { patchType: _, ...rest } = call;
    const owning = { ...rest, body: applied, applied: true };
    return old === undefined ? create(cluster, kind, place, user, owning) : update(cluster, kind, place, user, owning);
  }
  if (old === undefined) return failed(notFound(kind, place.name));
  const base = call.subresource === "scale" ? scaleOf(cluster, kind, old) : old;
  const patched = applyPatch(base, call.body!, call.patchType ?? "merge", kind);
  if (isStatus(patched)) return failed(patched);
  return update(cluster, kind, place, user, { ...call, body: patched });
}

/** Server-side apply of an object, with its owners. */
export function applyConfiguration(
  cluster: ScenarioCluster,
  kind: Kind,
  { body, query = {}, subresource = "" }: Call,
  old: JsonObject | undefined,
): JsonObject | Status {
  const manager = fieldManager(cluster, kind, subresource);
  const force = query.force === true || query.force === "true";
  const applied = manager.apply(
    old as KubeObject | undefined,
    body as KubeObject,
    String(query.fieldManager ?? ""),
    force,
  );
  return applied as JsonObject | Status;
}

/** Every other write makes its manager own the changed fields. */
function owned(
  cluster: ScenarioCluster,
  kind: Kind,
  { query = {}, subresource = "", applied }: Call,
  old: JsonObject | undefined,
  object: JsonObject,
): JsonObject {
  if (applied || subresource === "scale") return object;
  const name = String(query.fieldManager ?? "replay");
  const manager = fieldManager(cluster, kind, subresource);
  return manager.update(old as KubeObject | undefined, object as KubeObject, name) as JsonObject;
}

/** Evictions, bindings and tokens: admitted, and without effect here. */
async function createSubresource(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  if (cluster.get(kind, place.namespace, place.name) === undefined) return failed(notFound(kind, place.name));
  const write = { ...writeOf(cluster, kind, "CREATE", place, user, call), object: call.body as JsonObject };
  const notes: Notes = { warnings: [], auditAnnotations: {} };
  const admitted = await admit(write, notes);
  if (isStatus(admitted)) return failed(admitted, notes);
  return succeeded(201, admitted, notes);
}

async function finish(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  write: Write,
  object: JsonObject,
  given: JsonObject,
  code: number,
): Promise<Answer> {
  const handler = cluster.handlerOf(kind);
  const notes: Notes = { warnings: write.warnings, auditAnnotations: {} };
  const missing = missingNamespace(cluster, kind, place, write);
  if (missing !== undefined) return failed(missing, notes);
  let admitted = object;
  const answer = await admit({ ...write, object }, notes, async (mutated) => {
    const whole = write.subresource === "scale" ? objectFromScale(cluster, kind, mutated, object) : mutated;
    const set = withMetadata(whole, given);
    if (handler.finish) {
      const finished = await handler.finish(set, { ...write, name: place.name });
      if (isStatus(finished)) return { object: set, name: place.name, status: finished };
      admitted = finished;
      return { object: presented(write, finished)!, name: place.name };
    }
    admitted = handler.prepare?.(set, write) ?? set;
    const finished = { ...write, name: place.name, object: admitted };
    const status = await handler.validate?.(admitted, finished);
    return { object: presented(finished, admitted)!, name: place.name, ...(status && { status }) };
  });
  if (isStatus(answer)) return failed(answer, notes);
  if (write.operation === "CREATE" && cluster.store.get(kind, place.namespace, place.name) !== undefined) {
    return failed(alreadyExists(kind, place.name), notes);
  }
  const unchanged = write.oldObject !== undefined && sameJson(admitted, write.oldObject);
  const version = unchanged ? metadataOf(write.oldObject!).resourceVersion! : cluster.store.nextVersion();
  const versioned = withMetadata(admitted, { resourceVersion: version });
  const stored = handler.kept?.(versioned, kind) ?? versioned;
  if (!write.dryRun) {
    const finalized = metadataOf(stored).deletionTimestamp !== undefined && !hasFinalizers(stored);
    if (finalized) {
      cluster.store.delete(kind, place.namespace, place.name);
      handler.deleted?.(stored, cluster);
    } else {
      cluster.store.put(kind, place.namespace, place.name, stored);
      await handler.stored?.(stored, cluster);
    }
  }
  const body = write.subresource === "scale" ? scaleOf(cluster, kind, stored) : stored;
  return succeeded(code, body, notes);
}

function decode(body: Json | undefined, write: Write): JsonObject | Status {
  if (!isObject(body)) return badRequest("the body is not an object");
  return write.cluster.handlerOf(write.kind).decode?.(body, write) ?? body;
}

export function writeOf(
  cluster: ScenarioCluster,
  kind: Kind,
  operation: Write["operation"],
  place: Place,
  user: User,
  call: Call,
  oldObject?: JsonObject,
): Write {
  const query = call.query ?? {};
  const optionsKind = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions", CONNECT: "" }[
    operation
  ];
  const options: JsonObject = {
    kind: optionsKind,
    ...(call.options ?? {}),
    apiVersion: "meta.k8s.io/v1",
    ...(call.dryRun ? { dryRun: ["All"] } : {}),
    ...(typeof query.fieldManager === "string" ? { fieldManager: query.fieldManager } : {}),
    ...(typeof query.fieldValidation === "string" ? { fieldValidation: query.fieldValidation } : {}),
  };
  return {
    cluster,
    kind,
    operation,
    subresource: call.subresource ?? "",
    namespace: place.namespace,
    name: place.name,
    user,
    dryRun: call.dryRun ?? false,
    fieldValidation: typeof query.fieldValidation === "string" ? query.fieldValidation : "Warn",
    ...(oldObject === undefined ? {} : { oldObject }),
    ...(operation === "CONNECT" ? {} : { options }),
    warnings: [],
  };
}

const NAMESPACES: Kind = {
  group: "",
  version: "v1",
  kind: "Namespace",
  resource: "namespaces",
  namespaced: false,
  subresources: {},
};

// The answer of the NamespaceLifecycle plugin to creations.
function missingNamespace(cluster: ScenarioCluster, kind: Kind, place: Place, write: Write): Status | undefined {
  if (!kind.namespaced || write.operation !== "CREATE" || place.namespace === "default") return undefined;
  const found = cluster.store.get(NAMESPACES, "", place.namespace);
  if (found === undefined) return notFound(NAMESPACES, place.namespace);
  if (metadataOf(found).deletionTimestamp === undefined) return undefined;
  const message = `unable to create new content in namespace ${place.namespace} because it is being terminated`;
  return failure("Forbidden", `${kind.resource} "${place.name}" is forbidden: ${message}`);
}

// Kinds that refuse an update without a resource version; the scenarios' other kinds do not mind.
function needsVersion(kind: Kind): boolean {
  return kind.group === "admissionregistration.k8s.io" || kind.group === "apiextensions.k8s.io";
}

export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}

export function withMetadata(object: JsonObject, fields: JsonObject): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), ...fields } };
}

export function hasFinalizers(object: JsonObject): boolean {
  const finalizers = metadataOf(object).finalizers;
  return Array.isArray(finalizers) && finalizers.length > 0;
}

export function sameJson(a: JsonObject, b: JsonObject): boolean {
  return stable(a) === stable(b);
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (!isObject(value)) return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stable(value[key])}`).join(",")}}`;
}

// A suffix like the server's generated ones: five characters without vowels.
function suffix(n: number): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  let text = "";
  for (let rest = n * 7_919 + 104_729; text.length < 5; rest = Math.floor(rest / 3) + 31)
    text += alphabet[rest % alphabet.length];
  return text;
}

function uid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}
