// The expressions a policy had before an update: those are accepted in everything that was ever allowed.

import type { ValidatingAdmissionPolicy } from "../policy.ts";

export interface StoredExpressions {
  readonly matchConditions: ReadonlySet<string>;
  /** Of validations; variables are compared with these as well, as upstream does. */
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const NOTHING_STORED: StoredExpressions = {
  matchConditions: NONE,
  validations: NONE,
  messages: NONE,
  annotations: NONE,
};

export function storedExpressions({ spec }: ValidatingAdmissionPolicy): StoredExpressions {
  const { matchConditions = [], validations = [], auditAnnotations = [] } = spec;
  return {
    matchConditions: new Set(matchConditions.map(({ expression }) => expression)),
    validations: new Set(validations.map(({ expression }) => expression)),
    messages: new Set(
      validations.flatMap(({ messageExpression = "" }) => (messageExpression === "" ? [] : [messageExpression])),
    ),
    annotations: new Set(auditAnnotations.map(({ valueExpression }) => valueExpression)),
  };
}

export const modeOf = (stored: ReadonlySet<string>, text: string): "storedExpressions" | "newExpressions" =>
  stored.has(text) ? "storedExpressions" : "newExpressions";
