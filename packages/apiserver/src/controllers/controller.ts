// A controller: it looks at objects by name, again and again, until they are as they should be. It reads the server's caches, and changes
// objects through the server's front door.

import type { LocalClient } from "../client/local-client.ts";
import type { ServedResource } from "../kinds/resource.ts";

export interface Controller {
  readonly name: string;
  start(client: LocalClient): void;
  stop(): void;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 10_000;

/** Works on one key at a time; a key that comes in while it waits is worked on once. Failed work is repeated, later each time. */
export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running = false;
  #stopped = false;

  constructor(work: (key: string) => Promise<void>) {
    this.#work = work;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#waiting.add(key);
    if (!this.#running) void this.#run();
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(key);
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const key of this.#waiting) {
      // After the writer has its answer, and so that other work runs between two keys.
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#waiting.delete(key)) continue;
      try {
        await this.#work(key);
        this.#failures.delete(key);
      } catch {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.addAfter(key, Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY));
      }
    }
    this.#running = false;
  }
}

export class RequestRefused extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** The path of an object, or of a collection where it has no name. */
export function pathOf({ group, version, namespaced, resource }: ServedResource, namespace: string, name = ""): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `${root}/namespaces/${namespace}/${resource}` : `${root}/${resource}`;
  return name === "" ? place : `${place}/${encodeURIComponent(name)}`;
}

/** The part of an answer that controllers read. */
export interface Answered {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly finalizers?: readonly string[] };
  }[];
}

/** The answer's object; throws a Refused for an answer that is an error, but for the codes that are fine. */
export async function ask(
  client: LocalClient,
  method: string,
  url: string,
  body?: unknown,
  fine: readonly number[] = [],
): Promise<Answered> {
  const patchType = "application/merge-patch+json";
  const reply = await client.call(method, url, {
    ...(body !== undefined && { body }),
    ...(method === "PATCH" && { type: patchType }),
  });
  if (reply.code >= 400 && !fine.includes(reply.code)) throw new RequestRefused(reply.code, reply.text);
  return reply.json() as Answered;
}
