// GET of a collection: from the cache, or from the store's history for further pages and exact versions of the past.

import { badRequest, resourceExpired, type Status, timeout } from "@celadon/kube/status";
import { isStoreError } from "@celadon/storage";
import { parseResourceVersion } from "@celadon/write";
import { negotiate } from "../codec/forms.ts";
import { type ListOptions, listOptions } from "../codec/list-options.ts";
import type { ListMeta } from "../codec/table.ts";
import { decodeContinue, encodeContinue } from "../store/continue-token.ts";
import { StoredObject } from "../store/stored-object.ts";
import { type Answer, type Sent, waitWithoutSeat } from "../wire/call.ts";
import { StatusError, statusOf } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import { checkPartial, contentOf } from "./respond.ts";
import { type Selection, selectionOf } from "./select/selection.ts";
import type { ResourceHandler, Services } from "./services.ts";

export async function list(services: Services, exchange: Exchange): Promise<Answer> {
  const handler = services.handler(exchange.resource);
  const output = negotiate(exchange.call, exchange.query);
  const options = listOptions(exchange.query, exchange.permitted.info, false);
  const page = await readPage(services, handler, exchange, options);
  checkPartial(handler, output.form, true);
  const json = handler.presenters.of(output.form).list(page.objects, page.metadata);
  return contentOf(200, json, output.type);
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  readonly metadata: ListMeta;
}

/** One page of the objects a request selects. */
export async function readPage(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  options: ListOptions,
): Promise<ObjectPage> {
  const selection = selectionOf(handler, exchange, options);
  if (options.continue !== "") return continuedPage(services, handler, selection, options, exchange.call);
  const revision = listVersion(options.resourceVersion);
  const exact =
    options.resourceVersionMatch === "Exact" ||
    (revision > 0 && options.limit > 0 && options.resourceVersionMatch === "");
  if (exact) return pageAt(services, handler, selection, revision, selection.prefix, options.limit, exchange.call);
  if (options.resourceVersion === "") await services.objects.current(handler.cache);
  else {
    await handler.cache.ready();
    await waitForRevision(services, revision, exchange.call);
  }
  // A client that accepts any version gets all of it at once.
  const limit = options.resourceVersion === "0" ? 0 : options.limit;
  return cachedPage(handler, selection, selection.prefix, handler.cache.revision, limit);
}

function listVersion(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw new StatusError(badRequest(`invalid resource version: ${statusOf(error).message}`));
  }
}

async function continuedPage(
  services: Services,
  handler: ResourceHandler,
  selection: Selection,
  options: ListOptions,
  call: Sent,
): Promise<ObjectPage> {
  const token = decodeContinue(options.continue, selection.prefix);
  if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
    throw new StatusError(badRequest("specifying resource version is not allowed when using continue"));
  }
  if (token.revision < 0) {
    await services.objects.current(handler.cache);
    return cachedPage(handler, selection, token.key, handler.cache.revision, options.limit);
  }
  // A list of version 0 is sent at once.
  const limit = options.resourceVersion === "0" ? 0 : options.limit;
  return pageAt(services, handler, selection, token.revision, token.key, limit, call);
}

/** From the cache while nothing has changed since, else from history. */
async function pageAt(
  services: Services,
  handler: ResourceHandler,
  selection: Selection,
  revision: number,
  from: string,
  limit: number,
  call: Sent,
): Promise<ObjectPage> {
  await handler.cache.ready();
  await waitForRevision(services, revision, call);
  // A version without history is expired, even if nothing has changed since.
  if (revision < services.objects.compacted) throw new StatusError(expired(from, selection.prefix));
  if (handler.cache.changedAt <= revision) return cachedPage(handler, selection, from, revision, limit);
  try {
    return await historicPage(services, handler, selection, revision, from, limit);
  } catch (error) {
    if (!isStoreError(error, "compacted")) throw error;
    throw new StatusError(expired(from, selection.prefix));
  }
}

function cachedPage(
  handler: ResourceHandler,
  { prefix, key, matches }: Selection,
  from: string,
  revision: number,
  limit: number,
): ObjectPage {
  const { cache } = handler;
  const resourceVersion = String(revision);
  if (key !== undefined) {
    const object = cache.get(key);
    const objects = object !== undefined && (matches === undefined || matches(object)) ? [object] : [];
    return { objects, metadata: { resourceVersion } };
  }
  const all = cache.all();
  const [start, end] = cache.range(prefix);
  const first = from === prefix ? start : cache.position(from);
  if (limit <= 0) {
    const range = first === 0 && end === all.length ? all : all.slice(first, end);
    return { objects: matches === undefined ? range : range.filter(matches), metadata: { resourceVersion } };
  }
  const objects: StoredObject[] = [];
  for (let at = first; at < end; at++) {
    const object = all[at]!;
    if (matches !== undefined && !matches(object)) continue;
    if (objects.length === limit) {
      const token = encodeContinue({ revision, key: `${objects[limit - 1]!.key}\0` }, prefix);
      const remaining = matches === undefined ? { remainingItemCount: end - at } : {};
      return { objects, metadata: { resourceVersion, continue: token, ...remaining } };
    }
    objects.push(object);
  }
  return { objects, metadata: { resourceVersion } };
}

/** In chunks, so that a selector that matches little does not hold everything in memory. */
const CHUNK = 500;

async function historicPage(
  services: Services,
  handler: ResourceHandler,
  { prefix, matches }: Selection,
  revision: number,
  from: string,
  limit: number,
): Promise<ObjectPage> {
  const objects: StoredObject[] = [];
  // A token names the first key of its page: the last one before it and a zero byte.
  let after = from === prefix ? undefined : from.replace(/\0$/, "");
  for (;;) {
    const page = await services.objects.store.list(prefix, {
      revision,
      limit: CHUNK,
      remaining: true,
      ...(after !== undefined && { after }),
    });
    const shown = await handler.cache.shown(page.entries.map((entry) => storedObject(handler, entry)));
    for (const [i, object] of shown.entries()) {
      if (matches !== undefined && !matches(object)) continue;
      if (limit > 0 && objects.length === limit) {
        const token = encodeContinue({ revision, key: `${objects[limit - 1]!.key}\0` }, prefix);
        const left = page.entries.length - i + (page.remaining ?? 0);
        const remaining = matches === undefined ? { remainingItemCount: left } : {};
        return { objects, metadata: { resourceVersion: String(revision), continue: token, ...remaining } };
      }
      objects.push(object);
    }
    if (!page.more) return { objects, metadata: { resourceVersion: String(revision) } };
    after = page.entries.at(-1)!.key;
  }
}

function storedObject(
  handler: ResourceHandler,
  { key, value, modRevision }: { key: string; value: Uint8Array; modRevision: number },
): StoredObject {
  const { prefix, namespaced } = handler.resource.storage;
  const rest = key.slice(prefix.length);
  const slash = namespaced ? rest.indexOf("/") : -1;
  const place = { key, namespace: slash === -1 ? "" : rest.slice(0, slash), name: rest.slice(slash + 1) };
  return new StoredObject(place, value, modRevision, false);
}

const MAX_WAIT = 3_000;

/** Waits for a version that is yet to come, as one read from another server may be. It costs nothing, so that it holds no seat. */
export async function waitForRevision(services: Services, revision: number, call: Sent): Promise<void> {
  const arrival = services.objects.feed.catchUp(revision);
  if (arrival === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const text = `Too large resource version: ${revision}, current: ${services.objects.feed.revision}`;
      const status = timeout(text, 1);
      const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
      reject(new StatusError({ ...status, details: { ...status.details, causes } }));
    }, MAX_WAIT);
  });
  try {
    await waitWithoutSeat(call, Promise.race([arrival, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** A page that can no longer be read, with a token to go on without consistency. */
function expired(from: string, prefix: string): Status {
  const text =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  if (from === prefix) return resourceExpired("The resourceVersion for the provided list is too old.");
  const token = encodeContinue({ revision: -1, key: from }, prefix);
  return { ...resourceExpired(text), metadata: { continue: token } as unknown as Record<string, never> };
}
