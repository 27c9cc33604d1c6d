// Watching rules as they are evaluated, for explanations, coverage and measured costs.

import type { EvaluationResult } from "@celadon/cel";
import type { ExpressionObserver } from "@celadon/cel/explain";
import type { CertificateRequest, CertificateRequestPolicy, ValidationRule } from "../resource.ts";
import type { Rule } from "./rule.ts";

/** A rule of a policy, and the value on which it is evaluated. */
export interface CertificateRulePlace {
  readonly policy: string;
  readonly uid?: string;
  /** The name of the rule in errors: `spec.allowed.dnsNames.validations[0]`. */
  readonly fieldPath: string;
  /** The rule's place in the policy, in parts, down to its position in `validations`. */
  readonly path: readonly (string | number)[];
  /** The attribute's value that the rule is for. */
  readonly self: string;
}

/** Is called for every rule that is evaluated. */
export type CertificateRuleObserver = ExpressionObserver<CertificateRulePlace, Rule>;

/** The observation of one rule. */
export interface Occasion {
  readonly policy: CertificateRequestPolicy;
  readonly request: CertificateRequest;
  readonly validations: readonly ValidationRule[];
  readonly index: number;
  readonly fieldPath: string;
  readonly self: string;
}

export function evaluateObserved(rule: Rule, observer: CertificateRuleObserver, occasion: Occasion): EvaluationResult {
  const { policy, request, validations, index, fieldPath, self } = occasion;
  const uid = policy.metadata?.uid;
  const place: CertificateRulePlace = {
    policy: String(policy.metadata?.name ?? ""),
    ...(typeof uid === "string" && { uid }),
    fieldPath,
    path: [...(pathTo(validations, policy.spec.allowed, ["spec", "allowed"]) ?? []), index],
    self,
  };
  const outcome = rule.evaluate(self, request, observer.recorder(place, rule));
  const { value, error, cost } = outcome;
  observer.result(place, rule, error ?? value, error?.message, cost);
  return outcome;
}

/** Errors name attributes by object identifier and occurrence; the policy has them in lists. A list of rules is found by itself. */
function pathTo(
  wanted: unknown,
  value: unknown,
  path: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  if (value === wanted) return path;
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, below] of Object.entries(value)) {
    const found = pathTo(wanted, below, [...path, isList ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
