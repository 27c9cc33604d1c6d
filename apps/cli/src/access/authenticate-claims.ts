// The claims of a token under a configuration: the authenticator of their issuer, its expressions with values and costs, the user.

import { toJson } from "@celadon/cel";
import { showValue } from "@celadon/cel/explain";
import { fieldPath } from "@celadon/kube/errors";
import {
  type ClaimedUser,
  type Claims,
  type CompiledAuthentication,
  type EvaluatedClaim,
  isIssuerOf,
  userOfClaims,
} from "@celadon/kube-cel/access";

/** An expression with its result. */
export interface ShownExpression {
  readonly path: string;
  readonly expression: string;
  readonly value?: unknown;
  readonly shown?: string;
  readonly error?: string;
  readonly cost: number;
}

/** The user of some claims, or the problem, and how it came about. */
export interface AuthenticatedClaims {
  readonly issuer?: string;
  readonly user?: ClaimedUser;
  readonly problem?: string;
  readonly expressions: readonly ShownExpression[];
  readonly cost: number;
  readonly assumptions: readonly string[];
}

const HOUR = 3600;

/** Claims with the issuer, audience and expiry of a token that the first authenticator would accept, where they are missing. */
export function completeClaims(
  claims: Claims,
  { configuration }: CompiledAuthentication,
  now: number,
): { readonly claims: Claims; readonly assumed: readonly string[] } {
  const { url, audiences } = configuration.jwt?.[0]?.issuer ?? {};
  const missing = { iss: url, aud: audiences?.[0], exp: now + HOUR };
  const assumed = Object.keys(missing).filter((name) => !Object.hasOwn(claims, name));
  return { claims: { ...missing, ...claims }, assumed };
}

export function authenticateClaims(
  compiled: CompiledAuthentication,
  claims: Claims,
  assumed: readonly string[],
  now: number,
): AuthenticatedClaims {
  const assumptions = assumed.map(
    (name) => `the claims have no ${name}; assuming that it fits the first authenticator`,
  );
  const responsible = compiled.authenticators.find((authenticator) => isIssuerOf(authenticator, claims));
  if (responsible === undefined) {
    const problem = `no authenticator for the issuer ${JSON.stringify(claims.iss ?? "")}`;
    return { problem, expressions: [], cost: 0, assumptions };
  }
  const { user, problem, evaluated } = userOfClaims(responsible, claims, now);
  const expressions = evaluated.map(shownExpression);
  return {
    issuer: responsible.authenticator.issuer?.url ?? "",
    ...(user && { user }),
    ...(problem !== undefined && { problem }),
    expressions,
    cost: expressions.reduce((sum, { cost }) => sum + cost, 0),
    assumptions,
  };
}

function shownExpression({ path, text, value, error, cost }: EvaluatedClaim): ShownExpression {
  const at = path.reduce(
    (parent, step) => (typeof step === "number" ? parent.index(step) : parent.child(step)),
    fieldPath(),
  );
  const result = error === undefined ? { value: toJson(value), shown: showValue(value) } : { error };
  return { path: at.toString(), expression: text, ...result, cost };
}
