// PUT, and what PATCH shares with it: the change is applied to the current object, and again if another request has changed it since.
// Upstream: apiserver pkg/endpoints/handlers/update.go, pkg/registry/generic/registry/store.go, pkg/registry/rest/update.go.

import type { KubeObject } from "@celadon/kube";
import { conflict, internalError, notFound } from "@celadon/kube/status";
import { checkUid, checkVersion, type Draft, draftOf, type Form, objectOf } from "@celadon/write";
import { encodeStored } from "../codec/encode.ts";
import { type Negotiated, negotiate } from "../codec/forms.ts";
import { managerName, optionsObject, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import { keyOf } from "../kinds/resource.ts";
import { WriteConflict } from "../store/object-store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { storeNew } from "./create.ts";
import { checkEscalation } from "./escalation.ts";
import type { Exchange } from "./exchange.ts";
import { readSent } from "./read-sent.ts";
import { answerObject, answerStored } from "./respond.ts";
import type { ResourceHandler, Services } from "./services.ts";
import { accepted, writePath } from "./write.ts";

export async function update(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource, subresource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const options = writeOptions(query, "UpdateOptions");
  const sent = await readSent(exchange, handler.codec, options);
  const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource };
  return change(services, handler, exchange, output, {
    options,
    allowCreate: (await handler.strategy(subresource)).createOnUpdate,
    uid: sent.metadata.uid,
    isReplacement: true,
    next: () => draftOf(objectOf(sent)),
    own: (live, draft) => services.ownership.update(live, draft, manager),
  });
}

/** A change of one object. */
export interface Change {
  readonly options: WriteOptions;
  /** Whether an object that is absent is created. */
  readonly allowCreate: boolean;
  /** The identity the object must have. */
  readonly uid: string | undefined;
  /** The client sent the whole object. */
  readonly isReplacement?: boolean;
  /** The object after the change, in the version of the request; not yet admitted. Throws a StatusError. */
  next(live: KubeObject | undefined): Draft | Promise<Draft>;
  /** Field ownership of what `next` returns, where `next` has not seen to it. */
  own?(live: KubeObject | undefined, draft: Draft): Draft;
  /** A change by the server itself, which has checked it: no strategy and no admission applies. */
  readonly isInternal?: boolean;
  /** For objects that are written as another kind, such as a Scale. */
  readonly form?: Form;
}

export async function change(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  output: Negotiated,
  wanted: Change,
): Promise<Answer> {
  const { outcome, created } = await applyChange(services, handler, exchange, wanted);
  const code = created ? 201 : 200;
  return "key" in outcome
    ? answerStored(handler, code, outcome, output)
    : answerObject(handler, code, outcome.object, output);
}

export interface Changed {
  /** The stored object; the changed object for a dry run, or if the change removed the object. */
  readonly outcome: StoredObject | { readonly object: KubeObject };
  readonly created: boolean;
}

export async function applyChange(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  wanted: Change,
): Promise<Changed> {
  const { resource, namespace, name } = exchange;
  const key = keyOf(resource.storage, namespace, name);
  await services.objects.current(handler.cache);
  for (;;) {
    const existing = handler.cache.get(key);
    if (existing === undefined) {
      if (!wanted.allowCreate) throw new StatusError(notFound(resource, name));
      const created = await createInstead(services, handler, exchange, wanted);
      if (created !== undefined) return { outcome: created, created: true };
      continue;
    }
    const outcome = await tryChange(services, handler, exchange, wanted, existing);
    if (outcome !== undefined) return { outcome, created: false };
  }
}

/** Undefined if another request changed the object first; the change is then tried again. */
async function tryChange(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  wanted: Change,
  existing: StoredObject,
): Promise<Changed["outcome"] | undefined> {
  const { options } = wanted;
  const old = handler.codec.fromStorage(existing.object);
  checkUid({ resource: exchange.resource, dryRun: options.dryRun }, wanted.uid, old);
  if (wanted.isInternal === true) return store(services, handler, existing, await wanted.next(old), options);
  const { isReplacement, form, own } = wanted;
  const path = writePath(services, exchange, optionsObject("UpdateOptions", exchange.query), options.dryRun);
  const begun = accepted(
    await path.begin({
      sent: isReplacement ? "replacement" : "patch",
      decode: () => wanted.next(old),
      own: (draft) => own?.(old, draft) ?? draft,
      old: form === undefined ? old : form.present(old),
    }),
  );
  const strategy = await handler.strategy(strategyOf(exchange));
  const finished = await path.finish(begun, {
    strategy,
    old,
    confirm(draft) {
      checkVersion(strategy, exchange.resource, exchange.name, draft, existing.revision);
      return checkEscalation(services, exchange, draft, old);
    },
    form,
  });
  const draft = accepted(finished);
  if (isFinished(handler, draft, old)) return endObject(services, handler, existing, draft, options);
  return store(services, handler, existing, draft, options);
}

async function store(
  services: Services,
  handler: ResourceHandler,
  existing: StoredObject,
  draft: Draft,
  options: WriteOptions,
): Promise<Changed["outcome"] | undefined> {
  if (options.dryRun) return { object: handler.codec.stored(objectOf(draft)) };
  const value = encodeStored(await handler.codec.toStorage(objectOf(draft)));
  if (existing.source.isSameAs(value)) return existing;
  const written = await services.objects.put(handler.cache, existing.key, value, existing.revision, handler.timeToLive);
  return written instanceof WriteConflict ? undefined : written;
}

/** Scales are written as the object they belong to. */
function strategyOf({ subresource }: Exchange): string {
  return subresource === "scale" ? "" : subresource;
}

/** Whether the change took away the last thing that kept an object which is being deleted. */
function isFinished({ deletion }: ResourceHandler, draft: Draft, old: KubeObject): boolean {
  if ((draft.metadata.finalizers ?? []).length > 0 || !old.metadata?.deletionTimestamp) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return !(deletion.isHeld?.(objectOf(draft)) ?? false);
}

async function endObject(
  services: Services,
  handler: ResourceHandler,
  existing: StoredObject,
  draft: Draft,
  options: WriteOptions,
): Promise<{ readonly object: KubeObject } | undefined> {
  if (!options.dryRun) {
    const removed = await services.objects.remove(handler.cache, existing.key, existing.revision);
    if (removed instanceof WriteConflict && removed.current !== undefined) return undefined;
  }
  return { object: objectOf(draft) };
}

/** Undefined if another request created the object first; it is then changed. */
async function createInstead(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  wanted: Change,
): Promise<Changed["outcome"] | undefined> {
  const path = writePath(services, exchange, optionsObject("CreateOptions", exchange.query), wanted.options.dryRun);
  const begun = await path.begin({
    sent: wanted.isReplacement ? "replacement" : "patch",
    async decode() {
      const draft = await wanted.next(undefined);
      const { uid } = draft.metadata;
      if (uid !== undefined && uid !== "") {
        const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
        throw new StatusError(conflict(exchange.resource, exchange.name, text));
      }
      delete draft.metadata.resourceVersion;
      return draft;
    },
    own: (draft) => wanted.own?.(undefined, draft) ?? draft,
  });
  const mutated = accepted(begun);
  await services.authorize(exchange, "create");
  // Only a POST makes up names.
  if (!mutated.metadata.name && mutated.metadata.generateName) {
    throw new StatusError(internalError("metadata.name was not generated"));
  }
  try {
    return await storeNew(services, handler, exchange, path, mutated, wanted.options);
  } catch (error) {
    const isThere = error instanceof StatusError && error.status.reason === "AlreadyExists";
    if (
      isThere &&
      handler.cache.get(keyOf(exchange.resource.storage, exchange.namespace, exchange.name)) !== undefined
    ) {
      return undefined;
    }
    throw error;
  }
}
