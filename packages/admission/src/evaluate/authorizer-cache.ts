// Authorization for one request: each question is put to the host once, and hosts may take their time. Evaluation does not wait. A question
// without an answer yet fails the evaluation, which is then repeated once the answer has come: evaluating has no effects, so nothing but
// time is lost.

import { thrownText } from "@celadon/base";
import type { Attributes, AuthorizerDecision, ExpressionAuthorizer as EngineAuthorizer } from "@celadon/kube-cel";
import { type Authorizer, isPromise } from "../hosts.ts";

export class AuthorizerCache implements EngineAuthorizer {
  readonly #host: Authorizer | undefined;
  readonly #decisions = new Map<string, AuthorizerDecision>();
  readonly #pending = new Map<string, Promise<void>>();

  constructor(host: Authorizer | undefined) {
    this.#host = host;
  }

  /** Questions that wait for an answer. */
  get waiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Resolves when every pending check is answered. Never rejects: a failure is an answer too. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending.values());
    this.#pending.clear();
  }

  authorize(attributes: Attributes): AuthorizerDecision {
    const key = keyOf(attributes);
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    if (!this.#pending.has(key)) {
      const decision = this.#ask(attributes, key);
      if (decision !== undefined) return decision;
    }
    throw new Error("the authorizer has not answered yet");
  }

  #ask(attributes: Attributes, key: string): AuthorizerDecision | undefined {
    if (this.#host === undefined) return this.#keep(key, { decision: "noOpinion", reason: "" });
    try {
      const answer = this.#host.authorize(attributes);
      if (!isPromise(answer)) return this.#keep(key, checked(answer));
      const waiting = answer.then(
        (decision) => void this.#keep(key, checked(decision)),
        (thrown: unknown) => void this.#keep(key, failed(thrownText(thrown))),
      );
      this.#pending.set(key, waiting);
      return undefined;
    } catch (thrown) {
      return this.#keep(key, failed(thrownText(thrown)));
    }
  }

  #keep(key: string, decision: AuthorizerDecision): AuthorizerDecision {
    this.#decisions.set(key, decision);
    return decision;
  }
}

function failed(error: string): AuthorizerDecision {
  return { decision: "noOpinion", error };
}

function checked(decision: unknown): AuthorizerDecision {
  const known =
    typeof decision === "object" && decision !== null ? (decision as Partial<AuthorizerDecision>).decision : undefined;
  return known === "allow" || known === "deny" || known === "noOpinion"
    ? (decision as AuthorizerDecision)
    : failed("the authorizer gave no decision");
}

// Groups and extra in another order ask the same.
function keyOf({ user, fieldSelector, labelSelector, ...rest }: Attributes): string {
  const extra = Object.entries(user.extra ?? {}).map(([key, values]) => [key, [...values].sort()] as const);
  extra.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    user.name,
    user.uid,
    [...(user.groups ?? [])].sort(),
    extra,
    rest.verb,
    rest.resourceRequest,
    rest.path,
    rest.apiGroup,
    rest.apiVersion,
    rest.resource,
    rest.subresource,
    rest.namespace,
    rest.name,
    fieldSelector,
    labelSelector,
  ]);
}
