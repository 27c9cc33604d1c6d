// The way of an access review through the authorizers of a configuration, as far as it is known without calling anybody.

import {
  type CompiledAuthorization,
  type CompiledAuthorizer,
  type EvaluatedCondition,
  matchConditions,
  type ReviewedAccess,
} from "@celadon/kube-cel/access";

/**
 * - `called`: a webhook is asked. `skipped`: a condition is false. `denied` and `noOpinion`: a condition cannot be evaluated, and the failure
 *   policy decides. `asked`: an authorizer of the server, such as RBAC
 * - `unreached`: an authorizer above it denies
 */
export type AuthorizerStepKind = "called" | "skipped" | "denied" | "noOpinion" | "asked" | "unreached";

/** The step of a review at one authorizer. */
export interface AuthorizerStep {
  readonly name: string;
  readonly type: string;
  readonly step: AuthorizerStepKind;
  readonly error?: string;
  readonly conditions: readonly ShownCondition[];
}

/** A match condition with its result. */
export interface ShownCondition {
  readonly index: number;
  readonly expression: string;
  readonly value?: boolean;
  readonly error?: string;
  readonly cost: number;
}

export function authorizerSteps({ authorizers }: CompiledAuthorization, access: ReviewedAccess): AuthorizerStep[] {
  const steps: AuthorizerStep[] = [];
  let isDenied = false;
  for (const authorizer of authorizers) {
    const step: AuthorizerStep = isDenied ? unreached(authorizer) : stepOf(authorizer, access);
    steps.push(step);
    isDenied ||= step.step === "denied";
  }
  return steps;
}

const unreached = ({ name, type }: CompiledAuthorizer): AuthorizerStep => ({
  name,
  type,
  step: "unreached",
  conditions: [],
});

function stepOf({ name, type, webhook }: CompiledAuthorizer, access: ReviewedAccess): AuthorizerStep {
  if (webhook === undefined) return { name, type, step: "asked", conditions: [] };
  const { matches, error, evaluated } = matchConditions(webhook.conditions, access);
  const conditions = evaluated.map(shownCondition);
  if (error === undefined) return { name, type, step: matches ? "called" : "skipped", conditions };
  const step = webhook.webhook.failurePolicy === "Deny" ? "denied" : "noOpinion";
  return { name, type, step, error, conditions };
}

function shownCondition({ text, index, value, error, cost }: EvaluatedCondition): ShownCondition {
  return { index, expression: text, ...(error === undefined ? { value: value === true } : { error }), cost };
}
