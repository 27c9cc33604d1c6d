// GET with watch=true: initial state if requested, then every event of the selection, with bookmarks in between.

import { readStoredJson } from "@celadon/kube/read";
import { resourceExpired } from "@celadon/kube/status";
import { isStoreError } from "@celadon/storage";
import { parseResourceVersion } from "@celadon/write";
import { type Negotiated, negotiate } from "../codec/forms.ts";
import { type ListOptions, listOptions } from "../codec/list-options.ts";
import type { ListPresenter } from "../codec/presenter.ts";
import { encodeWatchFrame, hasMessage } from "../codec/protobuf/encode.ts";
import { type EventType, encodeLine, ObjectEvent } from "../store/events.ts";
import { StoredObject } from "../store/stored-object.ts";
import { JSON_TYPE, PROTOBUF_TYPE } from "../wire/accept.ts";
import { notAcceptable } from "../wire/answers.ts";
import type { Answer, Sent, Sink } from "../wire/call.ts";
import { StatusError, statusOf } from "../wire/status-error.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Exchange } from "./exchange.ts";
import { waitForRevision } from "./list.ts";
import { type Selection, selectionOf } from "./select/selection.ts";
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
  if (output.type === PROTOBUF_TYPE && output.form.form === "object" && !hasMessage(exchange.resource)) {
    throw new StatusError(notAcceptable([JSON_TYPE]));
  }
  const options = listOptions(exchange.query, exchange.permitted.info, true);
  const selection = selectionOf(handler, exchange, options);
  const revision = parseResourceVersion(options.resourceVersion);
  await handler.cache.ready();
  if (options.resourceVersion === "") await services.objects.current(handler.cache);
  const start = await startOf(services, handler, options, revision, exchange.call);
  return {
    code: 200,
    type: output.type === PROTOBUF_TYPE ? `${PROTOBUF_TYPE};stream=watch` : JSON_TYPE,
    open: (sink) => new WatchStream(services.deliveries, handler, selection, options, output, sink).start(start),
  };
}

/** The beginning of a watch: the objects there are, or the events since a version; or why it cannot begin. */
type Start =
  | { readonly from: "state" }
  | { readonly from: "now" }
  | { readonly from: "revision"; readonly missed: Missed }
  | { readonly from: "nowhere"; readonly error: StatusError };

/** Events of history, and the revision up to which they are all. */
interface Missed {
  readonly events: readonly ObjectEvent[];
  readonly through: number;
}

async function startOf(
  services: Services,
  handler: ResourceHandler,
  options: ListOptions,
  revision: number,
  call: Sent,
): Promise<Start> {
  const { sendInitialEvents, resourceVersion } = options;
  if (sendInitialEvents === true) return stateSince(services, revision, call);
  if (sendInitialEvents === undefined && revision === 0) return { from: "state" };
  if (revision === 0) return resourceVersion === "" || resourceVersion === "0" ? { from: "now" } : { from: "state" };
  if (handler.cache.eventsAfter(revision) !== undefined) {
    return { from: "revision", missed: { events: [], through: revision } };
  }
  try {
    return { from: "revision", missed: await eventsOfHistory(services, handler, revision) };
  } catch (error) {
    if (!isStoreError(error, "compacted")) throw error;
    return { from: "nowhere", error: tooOld(handler, revision) };
  }
}

/** Only a watch that begins with objects waits for its version; others wait for the events after it. */
async function stateSince(services: Services, revision: number, call: Sent): Promise<Start> {
  try {
    await waitForRevision(services, revision, call);
    return { from: "state" };
  } catch (error) {
    if (error instanceof StatusError) return { from: "nowhere", error };
    throw error;
  }
}

function tooOld({ cache }: ResourceHandler, revision: number): StatusError {
  return new StatusError(resourceExpired(`too old resource version: ${revision} (${cache.revision})`));
}

/** The events between a version and the oldest one the cache remembers, from the store. */
async function eventsOfHistory(services: Services, handler: ResourceHandler, revision: number): Promise<Missed> {
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
  return { events: await shownEvents(handler, events), through: until };
}

/** Events of the store as the resource's table shows their objects. */
async function shownEvents(handler: ResourceHandler, events: readonly ObjectEvent[]): Promise<readonly ObjectEvent[]> {
  const stored = events.flatMap(({ object, previous }) => (previous === undefined ? [object] : [object, previous]));
  const shown = await handler.cache.shown(stored);
  if (shown === stored) return events;
  const of = new Map(stored.map((object, at) => [object, shown[at]!]));
  return events.map(
    ({ type, object, previous }) => new ObjectEvent(type, of.get(object)!, previous && of.get(previous)),
  );
}

class WatchStream {
  readonly #deliveries: Deliveries;
  readonly #handler: ResourceHandler;
  readonly #selection: Selection;
  #presenter: ListPresenter;
  readonly #options: ListOptions;
  readonly #sink: Sink;
  #unsubscribe: () => void = () => {};
  #timers: NodeJS.Timeout[] = [];
  #ended = false;
  /** The version that the client began at: it has earlier events, also those that this server learns of only now. */
  #after = 0;
  /** The last revision the client knows of. */
  #sentRevision = 0;

  constructor(
    deliveries: Deliveries,
    handler: ResourceHandler,
    selection: Selection,
    options: ListOptions,
    output: Negotiated,
    sink: Sink,
  ) {
    this.#deliveries = deliveries;
    this.#handler = handler;
    this.#selection = selection;
    this.#options = options;
    this.#presenter = handler.presenters.of(output.form);
    this.#sink = output.type === PROTOBUF_TYPE ? new ProtobufSink(sink) : sink;
  }

  start(start: Start): void {
    this.#sink.onClose(() => this.#stop());
    const { cache } = this.#handler;
    if (start.from === "nowhere") {
      this.#fail(start.error);
      return;
    }
    const now = cache.revision;
    this.#deliveries.hold(this.#sink);
    if (start.from === "state") {
      try {
        this.#sendState(now);
      } catch (error) {
        this.#fail(error);
      }
    } else if (start.from === "revision") {
      const { events, through } = start.missed;
      for (const event of events) this.#event(event);
      this.#after = through;
      // The events that happened while history was read.
      const since = cache.eventsAfter(through);
      if (since === undefined) this.#fail(tooOld(this.#handler, through));
      else for (const event of since) this.#event(event);
    }
    if (this.#ended) return;
    if (this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks)
      this.#bookmark(now, END_OF_INITIAL);
    this.#sentRevision = Math.max(this.#sentRevision, this.#after, now);
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
    this.#sentRevision = revision;
  }

  #added(object: StoredObject): void {
    this.#sink.write(encodeLine("ADDED", this.#presenter.present(object)));
    this.#presenter = this.#presenter.next ?? this.#presenter;
  }

  #event(event: ObjectEvent): void {
    if (this.#ended) return;
    try {
      this.#send(event);
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(event: ObjectEvent): void {
    const type = this.#typeOf(event);
    if (type === undefined || event.revision <= this.#after) return;
    this.#sentRevision = event.revision;
    this.#deliveries.hold(this.#sink);
    this.#sink.write(event.line(this.#presenter, type));
    this.#presenter = this.#presenter.next ?? this.#presenter;
    if (this.#sink.pending > MAX_PENDING) this.#cut();
  }

  /** An object that cannot be shown, as when a webhook does not convert it: the client comes back for it. */
  #fail(error: unknown): void {
    this.#sink.write(encodeLine("ERROR", Buffer.from(JSON.stringify(statusOf(error)))));
    this.#end();
  }

  /** The type of the event for the selection; undefined when it is not seen. */
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
    if (revision > this.#sentRevision) this.#bookmark(revision);
  }

  /** So that the client resumes from here. */
  #lastBookmark(): void {
    if (this.#options.allowWatchBookmarks) this.#bookmarkIfNews();
    this.#end();
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): void {
    this.#sentRevision = revision;
    this.#sink.write(encodeLine("BOOKMARK", this.#presenter.bookmark(String(revision), annotations)));
    this.#presenter = this.#presenter.next ?? this.#presenter;
  }

  #end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }

  /** Events that were not read are not kept. */
  #cut(): void {
    this.#stop();
    this.#sink.cut();
  }

  #stop(): void {
    this.#ended = true;
    this.#deliveries.forget(this.#sink);
    this.#unsubscribe();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}

/** Frames of protobuf by their lines of JSON: what many watchers get is encoded once. */
const frames = new WeakMap<Uint8Array, Uint8Array>();

function frameOf(line: Uint8Array): Uint8Array {
  let frame = frames.get(line);
  if (frame === undefined) {
    const { type, object } = readStoredJson(line) as { type: string; object: object };
    frame = encodeWatchFrame(type, object as Readonly<Record<string, unknown>>);
    frames.set(line, frame);
  }
  return frame;
}

/** Lines of JSON on their way in, frames of protobuf on their way out: for the few clients that accept nothing else. */
class ProtobufSink implements Sink {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get pending(): number {
    return this.#sink.pending;
  }

  write(line: Uint8Array): void {
    this.#sink.write(frameOf(line));
  }

  hold(): void {
    this.#sink.hold();
  }

  release(): void {
    this.#sink.release();
  }

  end(): void {
    this.#sink.end();
  }

  cut(): void {
    this.#sink.cut();
  }

  onClose(listener: () => void): void {
    this.#sink.onClose(listener);
  }
}
