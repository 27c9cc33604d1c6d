// Requests with large bodies are answered by a thread of their own: reading, validating and merging some megabytes takes seconds, and everybody
// else would wait. The thread has a server of its own over the same store; this one authenticates, authorizes and sends the answer.

import type { UserInfo } from "@celadon/admission";
import type { Status } from "@celadon/kube/status";
import type { Store } from "@celadon/storage";
import type { Feed } from "../store/feed.ts";
import type { Answer, Call, Content } from "../wire/call.ts";
import type { RequestInfo } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";
import { Allocations } from "./allocations.ts";
import type { LargeAnswer } from "./messages.ts";
import { LargeThread, type ThreadSetup } from "./thread.ts";
import { Turns } from "./turns.ts";
import { isJsonPatch, isLargeWork, LARGE_BYTES, mayCopy, type Stored } from "./work.ts";

/** Requests that the thread works on at once: while one waits for a webhook, others go on. */
const AT_ONCE = 4;

/** A refusal by the thread, in the form that the client asked for. */
export class LargeRefusal extends StatusError {
  readonly content: Content;

  constructor(status: Status, content: Content) {
    super(status);
    this.content = content;
  }
}

/** The notes of an answer beside its content. */
export interface LargeNotes {
  warn(text: string): void;
  annotate(key: string, value: string): void;
  annotatePatch(key: string, value: string): void;
}

/** A request that its user may make. */
export interface PermittedRequest {
  readonly call: Call;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly notes: LargeNotes;
  /** The objects it is about; undefined where nothing is served. */
  stored(): Stored | undefined;
}

export interface LargeRequestHosts {
  /** The JavaScript of the thread. */
  readonly entry: URL;
  readonly setup: () => ThreadSetup;
  readonly store: Store;
  readonly feed: Feed;
  /** Adds what the thread counted to the metrics of the server. */
  readonly count: (counts: LargeAnswer["counts"]) => void;
}

export class LargeRequests {
  readonly #hosts: LargeRequestHosts;
  readonly #turns = new Turns(AT_ONCE);
  readonly #allocations = new Allocations();
  #thread: LargeThread | undefined;
  #asked = 0;

  constructor(hosts: LargeRequestHosts) {
    this.#hosts = hosts;
  }

  /** The answer of the thread for a large request, and otherwise that of `here`. */
  answer(asked: PermittedRequest, here: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    const isLarge = isLargeRequest(asked);
    if (!Allocations.allocates(asked.info)) {
      if (isLarge === false) return here();
      if (isLarge) return this.#elsewhere(asked);
    }
    return this.#decideLater(asked, here);
  }

  /** The bodies of some requests must be read before it is known how large they are, and some requests wait for each other. */
  async #decideLater(asked: PermittedRequest, here: () => Answer | Promise<Answer>): Promise<Answer> {
    const isLarge = isLargeRequest(asked) ?? isLargeOnceRead(asked.call, await asked.call.body());
    if (!Allocations.allocates(asked.info)) return isLarge ? this.#elsewhere(asked) : here();
    return this.#allocations.run(isLarge, { here: async () => here(), elsewhere: () => this.#elsewhere(asked) });
  }

  async close(): Promise<void> {
    await this.#thread?.end();
  }

  async #elsewhere({ call, user, notes }: PermittedRequest): Promise<Answer> {
    const body = await call.body();
    const { method, path, query, remoteAddress, signal } = call;
    const names = call.headerNames().filter((name) => name !== "authorization");
    const headers = Object.fromEntries(names.map((name) => [name, call.headerValues(name)]));
    const answer = await this.#turns.take(user.username ?? "", () => {
      const { revision } = this.#hosts.feed;
      const request = { id: ++this.#asked, user, method, path, query, headers, remoteAddress, body, revision };
      this.#thread ??= this.#start();
      return this.#thread.answer(request, signal);
    });
    return this.#received(answer, notes);
  }

  async #received(answer: LargeAnswer, notes: LargeNotes): Promise<Answer> {
    this.#hosts.count(answer.counts);
    await this.#hosts.feed.waitFor(answer.revision);
    for (const text of answer.warnings) notes.warn(text);
    for (const [key, value] of Object.entries(answer.annotations)) notes.annotate(key, value);
    for (const [key, value] of Object.entries(answer.patchAnnotations)) notes.annotatePatch(key, value);
    const { content, failure } = answer;
    if (failure !== undefined) throw new LargeRefusal(failure, content);
    return content;
  }

  #start(): LargeThread {
    const { entry, setup, store } = this.#hosts;
    const thread: LargeThread = new LargeThread(entry, setup(), store, () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }
}

/** Undefined where only the body itself can tell. */
function isLargeRequest({ call, info, stored }: PermittedRequest): boolean | undefined {
  const declared = call.header("content-length");
  if (declared !== undefined && Number(declared) >= LARGE_BYTES) return true;
  if (isLargeWork(info, call, stored)) return true;
  const isKnown = declared !== undefined || call.header("transfer-encoding") === undefined;
  return isKnown && !isJsonPatch(call) ? false : undefined;
}

function isLargeOnceRead(call: Call, body: Uint8Array): boolean {
  return body.length >= LARGE_BYTES || (isJsonPatch(call) && mayCopy(body));
}
