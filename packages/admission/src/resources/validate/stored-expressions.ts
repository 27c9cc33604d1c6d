// The expressions a policy had before an update: those are accepted in everything that was ever allowed.

import type { Policy } from "../../policy.ts";

export interface StoredExpressions {
  readonly matchConditions: ReadonlySet<string>;
  /** The stored expressions of validations; variables are compared with these as well, as upstream does. */
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  /** The stored expressions of ApplyConfigurations; JSON patches are compared with these as well, as upstream does. */
  readonly configurations: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const NOTHING_STORED: StoredExpressions = {
  matchConditions: NONE,
  validations: NONE,
  messages: NONE,
  annotations: NONE,
  configurations: NONE,
};

export function storedExpressions(policy: Policy): StoredExpressions {
  const { matchConditions = [] } = policy.spec;
  const conditions = new Set(matchConditions.map(({ expression }) => expression));
  if (policy.kind === "MutatingAdmissionPolicy") {
    const configurations = (policy.spec.mutations ?? []).flatMap(({ applyConfiguration }) =>
      applyConfiguration === undefined ? [] : [applyConfiguration.expression ?? ""],
    );
    return { ...NOTHING_STORED, matchConditions: conditions, configurations: new Set(configurations) };
  }
  const { validations = [], auditAnnotations = [] } = policy.spec;
  return {
    ...NOTHING_STORED,
    matchConditions: conditions,
    validations: new Set(validations.map(({ expression }) => expression)),
    messages: new Set(
      validations.flatMap(({ messageExpression = "" }) => (messageExpression === "" ? [] : [messageExpression])),
    ),
    annotations: new Set(auditAnnotations.map(({ valueExpression }) => valueExpression)),
  };
}

export const modeOf = (stored: ReadonlySet<string>, text: string): "storedExpressions" | "newExpressions" =>
  stored.has(text) ? "storedExpressions" : "newExpressions";
