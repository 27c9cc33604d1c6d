// The host of dispatching: sending a review to a webhook, making UIDs, and objects after a patch.

import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import type { AdmitOptions } from "../evaluate/context.ts";
import type { Hosts, Maybe } from "../hosts.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "./defaults.ts";
import type { AdmissionReview } from "./review.ts";
import type { CompiledWebhook } from "./webhook-set.ts";

/** One POST. */
export interface WebhookCall {
  readonly webhook: CompiledWebhook;
  /** The address, with the `timeout` parameter. */
  readonly url: string;
  /** The name a service's certificate must have. */
  readonly serverName?: string;
  readonly caBundle?: string;
  /** Later responses do not count. */
  readonly timeoutSeconds: number;
  readonly review: AdmissionReview;
}

/** The response of a webhook before it is decoded. */
export interface WebhookAnswer {
  readonly status: number;
  /** JSON that was read already, or the text of the body. */
  readonly body: unknown;
  readonly contentType?: string;
}

/** Sends a request to a webhook. Throws or rejects, with a message, if there is no response. */
export interface WebhookTransport {
  /** Whether it can reach a webhook at all. An unreachable one is not called, and its failurePolicy does not apply. */
  knows?(webhook: CompiledWebhook): boolean;
  call(call: WebhookCall): Maybe<WebhookAnswer>;
}

/** The cluster as calls of webhooks need it. */
export interface WebhookHosts extends Hosts {
  readonly transport: WebhookTransport;
  /** A fresh UUID for every call. */
  uid(): string;
  /** An object as the server decodes it after a patch: unknown fields dropped, defaults set. Default: as it is. */
  decode?(object: KubeObject, kind: GroupVersionKind): Maybe<KubeObject>;
}

/** Options for calling webhooks. */
export interface DispatchOptions extends AdmitOptions {
  /** Look at every webhook, also after one has refused the request. */
  readonly goOn?: boolean;
  /** Milliseconds of a clock; with it, reports say how long calls took. */
  now?(): number;
  /** Seconds the request has left; default: enough for every call. */
  remainingSeconds?(): number;
}

/** Whole seconds, rounded up, and no more than the request has left. */
export function timeoutOf({ webhook }: CompiledWebhook, options: DispatchOptions): number {
  const own = webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  return Math.min(own, Math.ceil(options.remainingSeconds?.() ?? own));
}
