// One watch: the events of a collection from a resource version on, as they come. It ends when the server ends it; who wants more
// starts another from the last version it saw.

import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { type Api, ApiError } from "./api.ts";
import { collectionPath, type Scope } from "./resource.ts";
import { ConnectionError } from "./transport.ts";

/** An event of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubeObject;
}

/** The objects to watch, and the first revision. */
export interface WatchOptions extends Scope {
  readonly resourceVersion: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number;
  /** Without any event for this long, bookmarks included, the connection counts as dead. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

/** Lines longer than the largest object a server stores, many times over. */
const LINE_BYTES = 64 * 1024 * 1024;

/** Throws an ApiError for an ERROR event, such as 410 Expired, and a ConnectionError when the connection breaks or stalls. */
export async function* watchEvents(
  api: Api,
  resource: GroupVersionResource,
  options: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const { resourceVersion, labelSelector, fieldSelector, timeoutSeconds, stallMs, signal } = options;
  const query = {
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    labelSelector,
    fieldSelector,
    timeoutSeconds,
  };
  const response = await api.stream(collectionPath(resource, options), query, { signal });
  let stalled = false;
  const stop = (): void => {
    stalled = true;
    response.cancel();
  };
  let timer = setTimeout(stop, stallMs);
  try {
    for await (const line of lines(response.stream)) {
      clearTimeout(timer);
      timer = setTimeout(stop, stallMs);
      yield eventOf(api, line);
    }
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || signal.aborted) throw error;
    const why = stalled ? `nothing received for ${stallMs} ms` : (error as Error).message;
    throw new ConnectionError(`watch of ${resource.resource}: ${why}`, { cause: error });
  } finally {
    clearTimeout(timer);
    response.cancel();
  }
  if (stalled) throw new ConnectionError(`watch of ${resource.resource}: nothing received for ${stallMs} ms`);
}

function eventOf(api: Api, line: string): WatchEvent {
  let event: { readonly type?: unknown; readonly object?: unknown };
  try {
    event = api.parse(line) as typeof event;
  } catch (error) {
    throw new ConnectionError(`a watch event is not JSON: ${(error as Error).message}`);
  }
  if (event.type === "ERROR") throw new ApiError(event.object as Status);
  return event as WatchEvent;
}

async function* lines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
      if (end > start) yield rest.slice(start, end);
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > LINE_BYTES) throw new ConnectionError(`a watch event is larger than ${LINE_BYTES} bytes`);
  }
}
