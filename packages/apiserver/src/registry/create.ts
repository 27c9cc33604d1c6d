// POST to a collection: the write path, then the store.
// Upstream: apiserver pkg/endpoints/handlers/create.go, pkg/registry/generic/registry/store.go.

import type { KubeObject } from "@celadon/kube";
import { alreadyExists, failure, generateNameConflict } from "@celadon/kube/status";
import { type Draft, objectOf, type WritePath } from "@celadon/write";
import { encodeStored } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { managerName, optionsObject, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import { keyOf } from "../kinds/resource.ts";
import { WriteConflict } from "../store/object-store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { checkEscalation } from "./escalation.ts";
import type { Exchange } from "./exchange.ts";
import { readSent } from "./read-sent.ts";
import { answerObject, answerStored } from "./respond.ts";
import type { ResourceHandler, Services } from "./services.ts";
import { accepted, writePath } from "./write.ts";

const NAME_ATTEMPTS = 8;

export async function create(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const options = writeOptions(query, "CreateOptions");
  const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource: "" };
  const path = writePath(services, exchange, optionsObject("CreateOptions", query), options.dryRun);
  const begun = await path.begin({
    sent: "new",
    decode: () => readSent(exchange, handler.codec, options),
    own: (draft) => services.ownership.update(undefined, draft, manager),
  });
  const outcome = await storeNew(services, handler, exchange, path, accepted(begun), options);
  return "key" in outcome
    ? answerStored(handler, 201, outcome, output)
    : answerObject(handler, 201, outcome.object, output);
}

/** The stored object, or of a dry run the object that would be stored. A name that was generated and is taken is generated again. */
export async function storeNew(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  path: WritePath,
  draft: Draft,
  options: WriteOptions,
): Promise<StoredObject | { readonly object: KubeObject }> {
  const { generateName: base = "", name = "" } = draft.metadata;
  const attempts = base === "" || name !== "" ? 1 : NAME_ATTEMPTS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await storeOnce(services, handler, exchange, path, draft, options);
    } catch (error) {
      const taken = error instanceof StatusError && error.status.reason === "AlreadyExists";
      if (!taken || attempt === attempts) throw error;
    }
  }
}

async function storeOnce(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  path: WritePath,
  given: Draft,
  options: WriteOptions,
): Promise<StoredObject | { readonly object: KubeObject }> {
  const { resource, namespace } = exchange;
  const { resourceVersion = "" } = given.metadata;
  const finished = await path.finish(given, {
    strategy: await handler.strategy(""),
    confirm(draft) {
      delete draft.metadata.resourceVersion;
      return checkEscalation(services, exchange, draft, undefined);
    },
  });
  const draft = accepted(finished);
  // The store compares a number; other texts are not checked, and a dry run checks nothing.
  if (!options.dryRun && Number(resourceVersion) > 0) {
    throw new StatusError(failure(undefined, "resourceVersion should not be set on objects to be created"));
  }
  const key = keyOf(resource.storage, namespace, draft.metadata.name ?? "");
  if (options.dryRun) {
    await services.objects.current(handler.cache);
    const current = handler.cache.get(key);
    if (current !== undefined) throw exists(current, exchange, draft);
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

function exists(current: StoredObject | undefined, { resource }: Exchange, draft: Draft): StatusError {
  const { name = "", generateName: base = "" } = draft.metadata;
  const status = base === "" ? alreadyExists(resource, name) : generateNameConflict(resource, name, 1);
  if (current?.object.metadata?.deletionTimestamp === undefined) return new StatusError(status);
  return new StatusError({ ...status, message: `object is being deleted: ${status.message}` });
}
