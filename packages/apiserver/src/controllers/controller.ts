// A controller: it looks at objects by name, again and again, until they are as they should be. It reads the server's caches, and changes
// objects through the server's front door.

import { WorkQueue, type WorkQueueOptions } from "@celadon/client/queue";
import type { LocalClient } from "../client/local-client.ts";
import type { ServedResource } from "../kinds/resource.ts";

export interface Controller {
  readonly name: string;
  start(client: LocalClient): void;
  stop(): void;
}

/** Retries of keys that fail; other requests run between two keys, and the writer has its answer first. */
const PACE: WorkQueueOptions = { firstRetryMs: 100, mostRetryMs: 10_000, isPaced: true };

/** A controller that works on one key at a time. Failed work is repeated, later each time. */
export abstract class QueueController implements Controller {
  abstract readonly name: string;
  readonly #ends: (() => void)[] = [];
  #queue: WorkQueue | undefined;

  start(client: LocalClient): void {
    const work = async (key: string): Promise<undefined> => {
      await this.sync(client, key);
    };
    this.#queue = new WorkQueue(work, PACE);
    this.follow();
  }

  stop(): void {
    void this.#queue?.stop();
    for (const end of this.#ends) end();
  }

  /** Adds the present keys, and subscribes to changes. */
  protected abstract follow(): void;

  protected abstract sync(client: LocalClient, key: string): Promise<void>;

  protected add(key: string): void {
    this.#queue?.add(key);
  }

  protected addAfter(key: string, ms: number): void {
    this.#queue?.addAfter(key, ms);
  }

  /** Takes the ends of subscriptions, for `stop`. */
  protected onStop(...ends: readonly (() => void)[]): void {
    this.#ends.push(...ends);
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
export interface ServerReply {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly finalizers?: readonly string[] };
  }[];
}

/** The answer's object; throws a Refused for an answer that is an error, but for the codes that are fine. */
export async function callServer(
  client: LocalClient,
  method: string,
  url: string,
  body?: unknown,
  fine: readonly number[] = [],
): Promise<ServerReply> {
  const patchType = "application/merge-patch+json";
  const reply = await client.call(method, url, {
    ...(body !== undefined && { body }),
    ...(method === "PATCH" && { type: patchType }),
  });
  if (reply.code >= 400 && !fine.includes(reply.code)) throw new RequestRefused(reply.code, reply.text);
  return reply.json() as ServerReply;
}
