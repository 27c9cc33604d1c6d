// Requests with large bodies and their answers, as the messages between the thread that listens and the one that works on them.

import type { MessagePort } from "node:worker_threads";
import type { UserInfo } from "@celadon/admission";
import type { MetricCounts } from "@celadon/base/metrics";
import type { Status } from "@celadon/kube/status";
import type { Content } from "../wire/call.ts";

/** The settings of a server, as far as they can be sent to a thread. */
export interface ThreadData {
  /** The options of the server, without functions and options of the listening thread alone. */
  readonly options: object;
  readonly tokens: Readonly<Record<string, UserInfo>>;
  /** PEM. */
  readonly tokenKey: string;
  readonly address: string;
  /** Leads to the store. */
  readonly store: MessagePort;
}

/** A request with a known user. The thread asks the authorizer once more: it has no other way to a handler. */
export interface LargeRequest {
  readonly id: number;
  readonly user: UserInfo;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly remoteAddress: string;
  readonly body: Uint8Array;
  /** The thread knows everything up to here before it answers. */
  readonly revision: number;
}

/** To the thread: a request, that the client of one is gone, or whether it still answers. */
export type ToThread =
  | { readonly message: "request"; readonly request: LargeRequest }
  | { readonly message: "abort"; readonly id: number }
  | { readonly message: "ping" };

/** The answer to a request, and the notes beside it. */
export interface LargeAnswer {
  readonly id: number;
  /** The content as the client gets it. */
  readonly content: Content;
  /** The status, if the content is a refusal. */
  readonly failure: Status | undefined;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly patchAnnotations: Readonly<Record<string, string>>;
  /** The counts of admission and others meanwhile, for the metrics of the listening server. */
  readonly counts: MetricCounts;
  /** Everything the answer rests on is at or before this revision. */
  readonly revision: number;
}

/** From the thread. */
export type FromThread =
  | { readonly message: "ready" }
  | { readonly message: "pong" }
  | { readonly message: "answer"; readonly answer: LargeAnswer };
