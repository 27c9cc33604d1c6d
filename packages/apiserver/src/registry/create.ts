// POST to a collection: decode, mutate, prepare, validate, admit, store.
// Upstream: apiserver pkg/endpoints/handlers/create.go, pkg/registry/generic/registry/store.go.

import {
  alreadyExists,
  checkPathSegmentName,
  failure,
  generateNameConflict,
  invalidObject,
  type KubeObject,
  validateManagedFields,
  validateObjectMeta,
} from "@celadon/kube";
import { encodeStored } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { readObject } from "../codec/read-object.ts";
import { managerName, optionsObject, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import { type Draft, draftOf, objectOf } from "../kinds/draft.ts";
import { keyOf } from "../kinds/resource.ts";
import { WriteConflict } from "../store/object-store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Problems, WriteContext } from "../strategy/strategy.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { admissionRequest } from "./admission-request.ts";
import { checkEscalation } from "./escalation.ts";
import type { Exchange } from "./exchange.ts";
import { afterMutation, dedupeOwners, matchNamespace, wipeSystemFields } from "./metadata-rules.ts";
import { generateName, newUid } from "./names.ts";
import { answerObject, answerStored } from "./respond.ts";
import type { ResourceHandler, Services } from "./services.ts";
import { timestamp } from "./timestamps.ts";

const NAME_ATTEMPTS = 8;

export async function create(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource, notes } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const options = writeOptions(query, "CreateOptions");
  const draft = await readObject(call, handler.codec, { ...options, warn: (text) => notes.warn(text) });
  wipeSystemFields(draft.metadata);
  matchNamespace(draft, resource, exchange.namespace);
  dedupeOwners(draft, notes, false);
  const name = managerName(options.fieldManager, call.header("user-agent"));
  const owned = services.ownership.update(undefined, draft, { name, resource, subresource: "" });
  const admitted = await mutateNew(services, exchange, owned);
  const outcome = await storeNew(services, handler, exchange, admitted, options, owned.metadata.name);
  return "key" in outcome
    ? answerStored(handler, 201, outcome, output)
    : answerObject(handler, 201, outcome.object, output);
}

/** Mutating admission of a new object. */
export async function mutateNew(services: Services, exchange: Exchange, draft: Draft): Promise<Draft> {
  const { query, notes } = exchange;
  const request = admissionRequest(exchange, {
    operation: "CREATE",
    name: draft.metadata.name ?? "",
    object: objectOf(draft),
    oldObject: null,
    options: optionsObject("CreateOptions", query),
    dryRun: query.has("dryRun"),
  });
  const mutated = await services.admission.mutate(request, exchange);
  return afterMutation(mutated, draft, notes);
}

/**
 * The stored object, or of a dry run what would be stored. Validating admission is about the name that was asked for, whatever a mutation
 * made of it.
 */
export async function storeNew(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  draft: Draft,
  options: WriteOptions,
  asked = "",
): Promise<StoredObject | { readonly object: KubeObject }> {
  const { generateName: base = "", name = "" } = draft.metadata;
  if (base === "" || name !== "") return storeOnce(services, handler, exchange, draft, options, asked);
  for (let attempt = 1; ; attempt++) {
    const named = draftOf(objectOf(draft));
    named.metadata.name = generateName(base);
    try {
      return await storeOnce(services, handler, exchange, named, options, asked);
    } catch (error) {
      const taken = error instanceof StatusError && error.status.reason === "AlreadyExists";
      if (!taken || attempt === NAME_ATTEMPTS) throw error;
    }
  }
}

async function storeOnce(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  given: Draft,
  options: WriteOptions,
  asked: string,
): Promise<StoredObject | { readonly object: KubeObject }> {
  const { resource, namespace, query } = exchange;
  await checkEscalation(services, exchange, given, undefined);
  const { resourceVersion = "" } = given.metadata;
  delete given.metadata.resourceVersion;
  const draft = await prepareNew(services, handler, exchange, given, options);
  const name = draft.metadata.name ?? "";
  const request = admissionRequest(exchange, {
    operation: "CREATE",
    name: asked || name,
    object: objectOf(draft),
    oldObject: null,
    options: optionsObject("CreateOptions", query),
    dryRun: options.dryRun,
  });
  await services.admission.validate(request, exchange);
  // The store looks for a number; what is none is not checked, and nothing is in a dry run.
  if (!options.dryRun && Number(resourceVersion) > 0) {
    throw new StatusError(failure(undefined, "resourceVersion should not be set on objects to be created"));
  }
  const key = keyOf(resource.storage, namespace, name);
  if (options.dryRun) {
    await services.objects.current(handler.cache);
    if (handler.cache.get(key) !== undefined) throw exists(handler.cache.get(key)!, exchange, draft);
    // Nor does it take the version away.
    if (resourceVersion !== "") draft.metadata.resourceVersion = resourceVersion;
    return { object: handler.codec.stored(objectOf(draft)) };
  }
  const value = encodeStored(await handler.codec.toStorage(objectOf(draft)));
  await handler.cache.ready();
  const written = await services.objects.put(handler.cache, key, value, 0, handler.timeToLive);
  if (written instanceof WriteConflict) throw exists(written.current, exchange, draft);
  return written;
}

/** The object as it would be stored, validated. */
async function prepareNew(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  draft: Draft,
  options: WriteOptions,
): Promise<Draft> {
  const { resource, namespace, notes } = exchange;
  draft.metadata.creationTimestamp = timestamp(services.now());
  draft.metadata.uid = newUid();
  matchNamespace(draft, resource, namespace);
  const strategy = await handler.strategy("");
  const context = writeContext(services, exchange, options);
  const prepared = strategy.prepareCreate(draft, context);
  refuse(await strategy.validateCreate(prepared, context), handler, prepared);
  const metadata = objectOf(prepared).metadata ?? {};
  refuse(
    [...validateObjectMeta(metadata, resource.namespaced, checkPathSegmentName), ...validateManagedFields(metadata)],
    handler,
    prepared,
  );
  for (const { text } of strategy.warnings(prepared, undefined, context)) notes.warn(text);
  return prepared;
}

/** Ends the request when there are problems. */
export function refuse(problems: Problems, { resource }: ResourceHandler, draft: Draft): void {
  if ("status" in problems) throw new StatusError(problems);
  if (problems.length === 0) return;
  // Events of both groups are the same objects, and errors name the group they are stored in.
  const kind = { group: resource.storage.group, kind: resource.kind };
  throw new StatusError(invalidObject(kind, draft.metadata.name ?? "", problems));
}

function exists(current: StoredObject | undefined, { resource }: Exchange, draft: Draft): StatusError {
  const { name = "", generateName: base = "" } = draft.metadata;
  const status = base === "" ? alreadyExists(resource, name) : generateNameConflict(resource, name, 1);
  if (current?.object.metadata?.deletionTimestamp === undefined) return new StatusError(status);
  return new StatusError({ ...status, message: `object is being deleted: ${status.message}` });
}

export function writeContext(services: Services, exchange: Exchange, options: WriteOptions): WriteContext {
  const { resource, subresource, namespace, user, notes } = exchange;
  const now = timestamp(services.now());
  const { network } = services;
  return {
    resource,
    subresource,
    namespace,
    user,
    dryRun: options.dryRun,
    now,
    services: network,
    namespaceLabels: () => services.namespaceLabels(namespace),
    warn: (text) => notes.warn(text),
  };
}
