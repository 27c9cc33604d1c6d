// GET with watch=true: initial state where it is asked for, then every event of the selection, with bookmarks in between.

import { resourceExpired } from "@celadon/kube";
import { isStoreError } from "@celadon/storage";
import { type Negotiated, negotiate } from "../codec/forms.ts";
import { type ListOptions, listOptions, parseResourceVersion } from "../codec/list-options.ts";
import type { ListPresenter } from "../codec/presenter.ts";
import { type EventType, encodeLine, ObjectEvent } from "../store/events.ts";
import { StoredObject } from "../store/stored-object.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import type { Answer, Sink } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import { waitForRevision } from "./list.ts";
import { type Selection, selectionOf } from "./selection.ts";
import type { ResourceHandler, Services } from "./services.ts";

/** Watches end by themselves after this long, spread so that they do not all come back at once. */
const MIN_SECONDS = 1_800;
const BOOKMARK_EVERY = 60_000;
/** A client that leaves this much unread is cut off; it resumes from its last version. */
const MAX_PENDING = 8 * 1024 * 1024;
const END_OF_INITIAL = { "k8s.io/initial-events-end": "true" };

export async function watch(services: Services, exchange: Exchange): Promise<Answer> {
  const handler = services.handler(exchange.resource);
  const output = negotiate(exchange.call, exchange.query, true);
  const options = listOptions(exchange.query, true);
  const selection = selectionOf(handler, exchange, options);
  const revision = parseResourceVersion(options.resourceVersion);
  await handler.cache.ready();
  if (revision > 0) await waitForRevision(services, revision);
  else if (options.resourceVersion === "") await services.objects.current(handler.cache);
  const start = await startOf(services, handler, options, revision);
  return {
    code: 200,
    type: JSON_TYPE,
    open: (sink) => new WatchStream(handler, selection, options, output, sink).start(start),
  };
}

/** What a watch begins with: the objects there are, or the events since a version; or why it cannot begin. */
type Start =
  | { readonly from: "state" }
  | { readonly from: "now" }
  | { readonly from: "revision"; readonly revision: number; readonly missed: readonly ObjectEvent[] }
  | { readonly from: "nowhere"; readonly error: StatusError };

async function startOf(
  services: Services,
  handler: ResourceHandler,
  options: ListOptions,
  revision: number,
): Promise<Start> {
  const { sendInitialEvents, resourceVersion } = options;
  if (sendInitialEvents === true) return { from: "state" };
  if (sendInitialEvents === undefined && revision === 0) return { from: "state" };
  if (revision === 0) return resourceVersion === "" || resourceVersion === "0" ? { from: "now" } : { from: "state" };
  if (handler.cache.eventsAfter(revision) !== undefined) return { from: "revision", revision, missed: [] };
  try {
    const missed = await eventsOfHistory(services, handler, revision);
    return { from: "revision", revision, missed };
  } catch (error) {
    if (!isStoreError(error, "compacted")) throw error;
    const text = `too old resource version: ${revision} (${handler.cache.revision})`;
    return { from: "nowhere", error: new StatusError(resourceExpired(text)) };
  }
}

/** The events between a version and the oldest one the cache remembers, from the store. */
async function eventsOfHistory(
  services: Services,
  handler: ResourceHandler,
  revision: number,
): Promise<readonly ObjectEvent[]> {
  const { prefix, namespaced } = handler.resource.storage;
  const until = handler.cache.revision;
  const feed = services.objects.store.watch(prefix, { from: revision + 1, previous: true, progress: true });
  await services.objects.store.requestProgress();
  const events: ObjectEvent[] = [];
  for await (const notice of feed) {
    if (notice.type === "changes") {
      if (notice.revision > until) break;
      for (const change of notice.changes) {
        const rest = change.key.slice(prefix.length);
        const slash = namespaced ? rest.indexOf("/") : -1;
        const namespace = slash === -1 ? "" : rest.slice(0, slash);
        const place = { key: change.key, namespace, name: rest.slice(slash + 1) };
        const previous =
          change.previous && new StoredObject(place, change.previous.value, change.previous.modRevision, false);
        if (change.type === "put") {
          const object = new StoredObject(place, change.entry.value, notice.revision, false);
          events.push(new ObjectEvent(previous === undefined ? "ADDED" : "MODIFIED", object, previous));
        } else if (previous !== undefined) {
          events.push(new ObjectEvent("DELETED", previous.at(notice.revision), previous));
        }
      }
    }
    if (notice.revision >= until) break;
  }
  feed.close();
  return events;
}

class WatchStream {
  readonly #handler: ResourceHandler;
  readonly #selection: Selection;
  readonly #presenter: ListPresenter;
  readonly #options: ListOptions;
  readonly #sink: Sink;
  #unsubscribe: () => void = () => {};
  #timers: NodeJS.Timeout[] = [];
  #ended = false;
  /** The last revision the client knows of. */
  #told = 0;

  constructor(handler: ResourceHandler, selection: Selection, options: ListOptions, output: Negotiated, sink: Sink) {
    this.#handler = handler;
    this.#selection = selection;
    this.#options = options;
    this.#presenter = handler.presenters.of(output.form);
    this.#sink = sink;
  }

  start(start: Start): void {
    this.#sink.onClose(() => this.#stop());
    const { cache } = this.#handler;
    if (start.from === "nowhere") {
      this.#sink.write(encodeLine("ERROR", Buffer.from(JSON.stringify(start.error.status))));
      this.#end();
      return;
    }
    const now = cache.revision;
    if (start.from === "state") this.#sendState(now);
    else if (start.from === "revision") {
      for (const event of start.missed) this.#event(event);
      const after = start.missed.at(-1)?.revision ?? start.revision;
      for (const event of cache.eventsAfter(after) ?? []) this.#event(event);
    }
    if (this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks)
      this.#bookmark(now, END_OF_INITIAL);
    if (this.#ended) return;
    this.#told = Math.max(this.#told, now);
    this.#unsubscribe = cache.subscribe(
      (event) => this.#event(event),
      () => this.#end(),
    );
    this.#schedule();
  }

  #schedule(): void {
    const seconds = this.#options.timeoutSeconds || MIN_SECONDS * (1 + Math.random());
    this.#timers.push(setTimeout(() => this.#lastBookmark(), seconds * 1000));
    if (this.#options.allowWatchBookmarks) {
      this.#timers.push(setInterval(() => this.#bookmarkIfNews(), BOOKMARK_EVERY));
    }
    for (const timer of this.#timers) timer.unref();
  }

  #sendState(revision: number): void {
    const { prefix, key, matches } = this.#selection;
    const { cache } = this.#handler;
    if (key !== undefined) {
      const object = cache.get(key);
      if (object !== undefined && (matches === undefined || matches(object))) this.#added(object);
    } else {
      const [from, to] = cache.range(prefix);
      const all = cache.all();
      for (let at = from; at < to; at++) {
        const object = all[at]!;
        if (matches === undefined || matches(object)) this.#added(object);
      }
    }
    this.#told = revision;
  }

  #added(object: StoredObject): void {
    this.#sink.write(encodeLine("ADDED", this.#presenter.present(object)));
  }

  #event(event: ObjectEvent): void {
    const type = this.#typeOf(event);
    if (type === undefined || this.#ended) return;
    this.#told = event.revision;
    this.#sink.write(event.line(this.#presenter, type));
    if (this.#sink.pending > MAX_PENDING) this.#end();
  }

  /** How the event looks through the selection; undefined when it is not seen. */
  #typeOf({ type, object, previous }: ObjectEvent): EventType | undefined {
    const { prefix, key, matches } = this.#selection;
    if (key !== undefined ? object.key !== key : !object.key.startsWith(prefix)) return undefined;
    if (matches === undefined) return type;
    const before = previous !== undefined && matches(previous);
    const after = type !== "DELETED" && matches(object);
    if (after) return before ? "MODIFIED" : "ADDED";
    return before ? "DELETED" : undefined;
  }

  #bookmarkIfNews(): void {
    const { revision } = this.#handler.cache;
    if (revision > this.#told) this.#bookmark(revision);
  }

  /** So that the client resumes from here. */
  #lastBookmark(): void {
    if (this.#options.allowWatchBookmarks) this.#bookmarkIfNews();
    this.#end();
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): void {
    this.#told = revision;
    this.#sink.write(encodeLine("BOOKMARK", this.#presenter.bookmark(String(revision), annotations)));
  }

  #end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }

  #stop(): void {
    this.#ended = true;
    this.#unsubscribe();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}
