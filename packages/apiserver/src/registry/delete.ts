// DELETE of one object: at once, after a grace period, or when its finalizers are gone.
// Upstream: apiserver pkg/endpoints/handlers/delete.go, pkg/registry/rest/delete.go, pkg/registry/generic/registry/store.go.

import { quoteGo } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { goJsonError } from "@celadon/kube/read";
import { badRequest, conflict, notFound, type Status, success } from "@celadon/kube/status";
import { jsonType } from "@celadon/kube/types";
import { KIND_AND_VERSION } from "@celadon/kube/validation";
import { objectOf } from "@celadon/write";
import { deletionPlan } from "@celadon/write/strategy";
import { bodyType, parseText, textOf } from "../codec/body.ts";
import { encodeStored } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { decodeProtobuf } from "../codec/protobuf/decode.ts";
import { type DeleteOptions, deleteOptions, deleteOptionsOfQuery, typedDeleteOptions } from "../codec/write-options.ts";
import { keyOf } from "../kinds/resource.ts";
import { WriteConflict } from "../store/object-store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { JSON_TYPE, PROTOBUF_TYPE } from "../wire/accept.ts";
import { jsonAnswer } from "../wire/answers.ts";
import type { Answer, Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import { answerObject, answerStored } from "./respond.ts";
import type { ResourceHandler, Services } from "./services.ts";
import { accepted, writePath } from "./write.ts";

export async function deleteOne(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const options = await readDeleteOptions(exchange);
  await services.objects.current(handler.cache);
  const outcome = await removeObject(services, handler, exchange, exchange.name, options);
  const code = !outcome.deleted && options.orphanDependents === false ? 202 : 200;
  if ("status" in outcome) return jsonAnswer(code, outcome.status);
  return "stored" in outcome
    ? answerStored(handler, code, outcome.stored, output)
    : answerObject(handler, code, outcome.object, output);
}

const KIND = "DeleteOptions";

/** The options in the body, or in the query where there is no body. */
export async function readDeleteOptions({ call, query, notes }: Exchange): Promise<DeleteOptions> {
  const body = await call.body();
  if (body.length === 0) return deleteOptionsOfQuery(query);
  const options = sentOptions(call, body);
  notes.received(options.object);
  return options;
}

function sentOptions(call: Sent, body: Uint8Array): DeleteOptions {
  const type = bodyType(call);
  if (type === PROTOBUF_TYPE) return deleteOptions(decodeProtobuf(body) as Record<string, unknown>);
  const text = textOf(body);
  const syntax = type === JSON_TYPE ? goJsonError(text) : undefined;
  if (syntax !== undefined) {
    throw new StatusError(badRequest(`couldn't get version/kind; json parse error: ${syntax}`));
  }
  const value = (parseText(text, type) ?? {}) as Record<string, unknown>;
  if (jsonType(value) !== "object") {
    const problem = `json: cannot unmarshal ${jsonType(value)} into Go value of type ${KIND_AND_VERSION}`;
    throw new StatusError(badRequest(`couldn't get version/kind; json parse error: ${problem}`));
  }
  const { kind = KIND, apiVersion = "" } = value;
  if (kind !== KIND && kind !== "") {
    const problem = `no kind ${quoteGo(String(kind))} is registered for version ${quoteGo(String(apiVersion))}`;
    throw new StatusError(badRequest(`${problem} in scheme "pkg/runtime/scheme.go:111"`));
  }
  return deleteOptions(typedDeleteOptions(value));
}

export type Removed =
  | { readonly deleted: boolean; readonly status: Status }
  | { readonly deleted: boolean; readonly stored: StoredObject }
  | { readonly deleted: boolean; readonly object: KubeObject };

/** Deletes an object, or begins to. `admittedName` is empty for the objects of a collection. */
export async function removeObject(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  name: string,
  options: DeleteOptions,
  admittedName: string = name,
): Promise<Removed> {
  const { resource, namespace } = exchange;
  const key = keyOf(resource.storage, namespace, name);
  for (;;) {
    const existing = handler.cache.get(key);
    if (existing === undefined) throw new StatusError(notFound(resource, name));
    const old = handler.codec.fromStorage(existing.object);
    checkPreconditions(handler, old, options);
    const refusal = handler.deletion.refusal?.(old);
    if (refusal !== undefined) throw new StatusError(refusal);
    const path = writePath(services, exchange, options.object, options.dryRun);
    accepted(await path.pass({ operation: "DELETE", name: admittedName, object: null, oldObject: old }));
    const outcome = await tryRemove(services, handler, exchange, existing, old, options);
    if (outcome !== undefined) return outcome;
  }
}

async function tryRemove(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  existing: StoredObject,
  old: KubeObject,
  options: DeleteOptions,
): Promise<Removed | undefined> {
  const plan = deletionPlan(handler.deletion, old, options, services.now());
  if (plan.step === "pending") return finished(handler, exchange, old, existing, false);
  if (plan.step === "mark") {
    if (options.dryRun) return { deleted: false, object: objectOf(plan.draft) };
    const value = encodeStored(await handler.codec.toStorage(objectOf(plan.draft)));
    if (existing.source.isSameAs(value)) return { deleted: false, stored: existing };
    const written = await services.objects.put(handler.cache, existing.key, value, existing.revision);
    return written instanceof WriteConflict ? undefined : { deleted: false, stored: written };
  }
  if (!options.dryRun) {
    const removed = await services.objects.remove(handler.cache, existing.key, existing.revision);
    if (removed instanceof WriteConflict) return undefined;
    return finished(handler, exchange, withVersion(plan.object, removed), existing, true);
  }
  return finished(handler, exchange, plan.object, existing, true);
}

/** Throws a StatusError if the object does not meet the preconditions. */
export function checkPreconditions({ resource }: ResourceHandler, old: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion, name = "" } = old.metadata ?? {};
  const what = { group: resource.group, resource: resource.kind };
  if (options.preconditionUid !== undefined && options.preconditionUid !== uid) {
    const text = `the UID in the precondition (${options.preconditionUid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw new StatusError(conflict(what, name, text));
  }
  if (options.preconditionVersion !== undefined && options.preconditionVersion !== resourceVersion) {
    const text = `the ResourceVersion in the precondition (${options.preconditionVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw new StatusError(conflict(what, name, text));
  }
}

function finished(
  handler: ResourceHandler,
  { resource }: Exchange,
  object: KubeObject,
  existing: StoredObject,
  deleted: boolean,
): Removed {
  if (handler.deletion.returnsObject) return deleted ? { deleted, object } : { deleted, stored: existing };
  const { name = "", uid = "" } = object.metadata ?? {};
  const group = resource.group === "" ? {} : { group: resource.group };
  return { deleted, status: success({ name, ...group, kind: resource.resource, uid }) };
}

function withVersion(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
