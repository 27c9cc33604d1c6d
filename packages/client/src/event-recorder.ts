// Events, as `kubectl describe` shows them: sent in the background, bounded in rate and number. A repeated event
// increases the count of the first; a source that sends too many is throttled; events that cannot be sent are dropped
// and counted, never waited for.

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { BoundedMap } from "@celadon/base";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { nameOf, namespaceOf } from "@celadon/kube";
import type { Api } from "./api.ts";

const EVENTS: GroupVersionResource = { group: "", version: "v1", resource: "events" };

/** An event to record. */
export interface EventOf {
  readonly object: KubeObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The action that the event is about, such as `Synced`. */
  readonly action?: string;
}

/** The author of events. */
export interface EventRecorderOptions {
  readonly component: string;
  /** The number of waiting events; further ones are dropped. */
  readonly queue?: number;
  /** Events of one object at once, and how long until it may have one more: client-go's 25 and 5 min. */
  readonly burst?: number;
  readonly refillMs?: number;
  readonly now?: () => number;
}

/** The greatest length that the API accepts; a longer one is cut. */
const MESSAGE = 1024;
const SERIES = 4096;

/** Records events; the same ones are counted instead of repeated. */
export class EventRecorder {
  readonly #api: Api;
  readonly #options: Required<EventRecorderOptions>;
  readonly #queue: EventOf[] = [];
  readonly #sources = new BoundedMap<string, { tokens: number; at: number }>(SERIES);
  readonly #series = new BoundedMap<string, { readonly name: string; count: number; readonly first: string }>(SERIES);
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(api: Api, options: EventRecorderOptions) {
    this.#api = api;
    this.#options = { queue: 1000, burst: 25, refillMs: 300_000, now: () => performance.now(), ...options };
  }

  /** The number of events that were not sent. */
  get dropped(): number {
    return this.#dropped;
  }

  record(event: EventOf): void {
    if (this.#queue.length >= this.#options.queue || !this.#mayTell(event)) {
      this.#dropped++;
      return;
    }
    this.#queue.push(event);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when nothing waits any more. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  #mayTell({ object }: EventOf): boolean {
    const { burst, refillMs, now } = this.#options;
    const key = sourceOf(object);
    const at = now();
    const known = this.#sources.get(key) ?? { tokens: burst, at };
    const tokens = Math.min(burst, known.tokens + (at - known.at) / refillMs);
    this.#sources.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
    return tokens >= 1;
  }

  async #send(): Promise<void> {
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      try {
        await this.#sendOne(event);
      } catch {
        this.#dropped++; // a namespace that ends, a server that is busy: an event is worth no retry
      }
    }
  }

  async #sendOne(event: EventOf): Promise<void> {
    const { object, type, reason } = event;
    const message = event.message.length > MESSAGE ? `${event.message.slice(0, MESSAGE - 3)}...` : event.message;
    const namespace = namespaceOf(object) || "default";
    const key = createHash("sha256")
      .update([sourceOf(object), type, reason, event.action, message].join("\0"))
      .digest("hex");
    const time = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const known = this.#series.get(key);
    if (known !== undefined) {
      known.count++;
      const patch = { count: known.count, lastTimestamp: time };
      try {
        await this.#api.patch(EVENTS, { namespace, name: known.name }, "merge", patch);
        return;
      } catch {
        this.#series.delete(key); // it may be gone: events live an hour
      }
    }
    const name = `${(nameOf(object) || "object").slice(0, 200)}.${key.slice(0, 16)}${Date.now().toString(16)}`;
    const { component } = this.#options;
    await this.#api.create(
      EVENTS,
      {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name, namespace },
        involvedObject: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          name: nameOf(object),
          ...(namespaceOf(object) !== "" && { namespace: namespaceOf(object) }),
          ...(object.metadata?.uid !== undefined && { uid: object.metadata.uid }),
          ...(object.metadata?.resourceVersion !== undefined && { resourceVersion: object.metadata.resourceVersion }),
        },
        type,
        reason,
        message,
        ...(event.action !== undefined && { action: event.action }),
        count: 1,
        firstTimestamp: time,
        lastTimestamp: time,
        source: { component },
        reportingComponent: component,
        reportingInstance: `${component}-${hostname()}`,
      },
      { namespace },
    );
    this.#series.set(key, { name, count: 1, first: time });
  }
}

function sourceOf(object: KubeObject): string {
  return [object.apiVersion, object.kind, namespaceOf(object), nameOf(object)].join("/");
}
