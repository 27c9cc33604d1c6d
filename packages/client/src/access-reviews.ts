// Authorization by SubjectAccessReviews, with a cache of bounded size and age. Concurrent equal reviews cause one
// request.

import { createHash } from "node:crypto";
import { BoundedMap } from "@celadon/base";
import type { GroupVersionResource } from "@celadon/kube";
import type { Api } from "./api.ts";

const REVIEWS: GroupVersionResource = {
  group: "authorization.k8s.io",
  version: "v1",
  resource: "subjectaccessreviews",
};

/** Whether a user may do something. */
export interface AccessAnswer {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
  readonly error: string;
}

/** The time for which answers count. */
export interface AccessReviewsOptions {
  /** The time for which a yes counts. */
  readonly allowedMs?: number;
  readonly deniedMs?: number;
  readonly entries?: number;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** `spec` belongs to a SubjectAccessReview. */
export type AccessReviewSpec = Readonly<Record<string, unknown>>;

/** Asks the API server what users may do, and caches the results. */
export class AccessReviews {
  readonly #api: Api;
  readonly #options: Required<AccessReviewsOptions>;
  readonly #known: BoundedMap<string, { readonly answer: Promise<AccessAnswer>; until: number }>;

  constructor(api: Api, options: AccessReviewsOptions = {}) {
    this.#api = api;
    // The lifetimes of kube-apiserver's own webhook authorizer are 5 min and 30 s; a policy is more surprising when it lags.
    this.#options = {
      allowedMs: 10_000,
      deniedMs: 5_000,
      entries: 10_000,
      timeoutMs: 3_000,
      now: () => performance.now(),
      ...options,
    };
    this.#known = new BoundedMap(this.#options.entries);
  }

  get size(): number {
    return this.#known.size;
  }

  /** Rejects where the server gives no answer; that is not remembered. */
  async review(spec: AccessReviewSpec): Promise<AccessAnswer> {
    const { now, allowedMs, deniedMs } = this.#options;
    const key = createHash("sha256").update(stable(spec)).digest("base64");
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now()) {
      this.#known.set(key, known);
      return known.answer;
    }
    const entry = { answer: this.#ask(spec), until: Number.POSITIVE_INFINITY };
    this.#known.set(key, entry);
    try {
      const answer = await entry.answer;
      entry.until = now() + (answer.allowed ? allowedMs : deniedMs);
      return answer;
    } catch (error) {
      if (this.#known.get(key) === entry) this.#known.delete(key);
      throw error;
    }
  }

  async #ask(spec: AccessReviewSpec): Promise<AccessAnswer> {
    const object = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", metadata: {}, spec };
    const answer = await this.#api.create(REVIEWS, object, { timeoutMs: this.#options.timeoutMs });
    const status = (answer.status ?? {}) as {
      allowed?: boolean;
      denied?: boolean;
      reason?: string;
      evaluationError?: string;
    };
    return {
      allowed: status.allowed === true,
      denied: status.denied === true,
      reason: status.reason ?? "",
      error: status.evaluationError ?? "",
    };
  }
}

/** The same text for the same data, in any order of its members. */
function stable(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stable(member)}`).join(",")}}`;
}
