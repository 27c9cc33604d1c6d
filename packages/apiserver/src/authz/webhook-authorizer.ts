// An authorizer that asks a webhook with a SubjectAccessReview, as an AuthorizationConfiguration says: only where its match conditions hold,
// within its timeout, and with its answers cached. A webhook that cannot be asked decides by its failure policy. Upstream: apiserver
// plugin/pkg/authorizer/webhook/webhook.go.

import type { Authorizer } from "@celadon/admission";
import { isRecord, toJson } from "@celadon/base";
import { readJsonBody } from "@celadon/kube/read";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import {
  accessReviewSpec,
  type CompiledAuthorizationWebhook,
  matchConditions,
  type ReviewedAccess,
} from "@celadon/kube-cel/access";

/** Sends a review and gives the text of the answer; rejects with the reason why there is none. */
export type AskWebhook = (review: string, timeoutMs: number) => Promise<string>;

/** The hosts of webhooks. */
export interface WebhookHosts {
  now(): number;
  /** Told why a webhook did not answer, or a condition could not be evaluated. */
  observe(problem: string): void;
}

/** Larger reviews are not cached: anybody could fill the memory with them. */
const MOST_CACHED_CHARACTERS = 10_000;
const MOST_CACHED = 8192;

interface Cached {
  readonly decision: AuthorizerDecision;
  readonly until: number;
}

/** One webhook of the chain. */
export class WebhookAuthorizer implements Authorizer {
  readonly #name: string;
  readonly #compiled: CompiledAuthorizationWebhook;
  readonly #ask: AskWebhook;
  readonly #hosts: WebhookHosts;
  readonly #cache = new Map<string, Cached>();

  constructor(name: string, compiled: CompiledAuthorizationWebhook, ask: AskWebhook, hosts: WebhookHosts) {
    this.#name = name;
    this.#compiled = compiled;
    this.#ask = ask;
    this.#hosts = hosts;
  }

  async authorize(attributes: Attributes): Promise<AuthorizerDecision> {
    const access = accessReviewSpec(attributes);
    const { matches, error } = matchConditions(this.#compiled.conditions, access);
    if (error !== undefined) return this.#failed(error);
    if (!matches) return { decision: "noOpinion" };
    const spec = toJson(specOf(access, this.#version));
    const known = this.#cache.get(spec);
    if (known !== undefined && known.until > this.#hosts.now()) return known.decision;
    try {
      const review = `{"apiVersion":"authorization.k8s.io/${this.#version}","kind":"SubjectAccessReview","metadata":{},"spec":${spec}}`;
      const decision = decisionOf(await this.#ask(review, this.#compiled.timeout), (text) => this.#observe(text));
      this.#keep(spec, decision);
      return decision;
    } catch (problem) {
      return this.#failed((problem as Error).message);
    }
  }

  get #version(): string {
    return this.#compiled.webhook.subjectAccessReviewVersion ?? "v1";
  }

  #failed(problem: string): AuthorizerDecision {
    this.#observe(problem);
    return { decision: this.#compiled.webhook.failurePolicy === "Deny" ? "deny" : "noOpinion" };
  }

  #observe(problem: string): void {
    this.#hosts.observe(`authorization webhook ${this.#name}: ${problem}`);
  }

  /** The oldest makes room. */
  #keep(spec: string, decision: AuthorizerDecision): void {
    const { webhook, authorizedTtl, unauthorizedTtl } = this.#compiled;
    const isAllowed = decision.decision === "allow";
    const isKept = isAllowed ? webhook.cacheAuthorizedRequests : webhook.cacheUnauthorizedRequests;
    if (isKept === false || spec.length > MOST_CACHED_CHARACTERS) return;
    this.#cache.delete(spec);
    this.#cache.set(spec, { decision, until: this.#hosts.now() + (isAllowed ? authorizedTtl : unauthorizedTtl) });
    if (this.#cache.size <= MOST_CACHED) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      return;
    }
  }
}

/** In v1beta1 the groups have another name. */
function specOf({ groups, ...rest }: ReviewedAccess, version: string): Readonly<Record<string, unknown>> {
  if (groups === undefined || groups === null) return rest;
  return version === "v1beta1" ? { ...rest, group: groups } : { ...rest, groups };
}

const BOTH = "webhook subject access review returned both allow and deny response";

/** The decision in an answer; throws if it is none. A webhook that says both was asked, and denied: its failure policy does not count. */
function decisionOf(text: string, observe: (problem: string) => void): AuthorizerDecision {
  const read = readJsonBody(text);
  const value = read.error === undefined ? read.value : undefined;
  const status = isRecord(value) && value.kind === "SubjectAccessReview" ? value.status : undefined;
  if (!isRecord(status)) throw new Error("the answer is no SubjectAccessReview with a status");
  const { allowed = false, denied = false, reason = "" } = status;
  if (typeof allowed !== "boolean" || typeof denied !== "boolean")
    throw new Error("allowed and denied must be booleans");
  if (allowed && denied) {
    observe(BOTH);
    return { decision: "deny", reason: "" };
  }
  const decision = denied ? "deny" : allowed ? "allow" : "noOpinion";
  return { decision, reason: typeof reason === "string" ? reason : "" };
}
