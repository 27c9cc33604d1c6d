// What all kinds of policies say, validated: failure policy, params, rules, match conditions, variables. Order and words are
// upstream's: kubernetes pkg/apis/admissionregistration/validation.

import { deepEqual } from "@celadon/base";
import { type FieldError, type FieldPath, fieldPath, JsonShown, notSupported, requiredValue } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { PolicySpec } from "../policy.ts";
import { ExpressionChecks } from "./expression-checks.ts";
import type { StoredExpressions } from "./stored-expressions.ts";
import { validateMatchConditions } from "./validate-match-conditions.ts";
import { validateMatchResources } from "./validate-match-resources.ts";
import { validateParamKind } from "./validate-param-kind.ts";
import { validateVariable } from "./validate-variable.ts";

const FAILURE_POLICIES = ["Fail", "Ignore"];

/** Match conditions are not looked at again while they and the paramKind stay as they are. */
export function conditionsChanged(policy: { readonly spec: PolicySpec }, old: { readonly spec: PolicySpec }): boolean {
  return !(
    deepEqual(policy.spec.paramKind, old.spec.paramKind) &&
    deepEqual(policy.spec.matchConditions ?? [], old.spec.matchConditions ?? [])
  );
}

export interface SharedErrors {
  readonly errors: readonly FieldError[];
  /** For the expressions that are left: variables are known to it. */
  readonly checks: ExpressionChecks;
  readonly path: FieldPath;
}

export function sharedErrors(
  spec: PolicySpec,
  stored: StoredExpressions,
  conditions: boolean,
  kubeVersion: Minor | undefined,
  inRules: (path: FieldPath) => readonly FieldError[] = () => [],
): SharedErrors {
  const path = fieldPath("spec");
  const { paramKind, matchConstraints, variables = [] } = spec;
  const checks = new ExpressionChecks(paramKind !== undefined, variables.length > 0, kubeVersion);
  const errors = failurePolicyErrors(spec.failurePolicy, path.child("failurePolicy"));
  if (paramKind !== undefined) errors.push(...validateParamKind(paramKind, path.child("paramKind")));
  if (matchConstraints === undefined) errors.push(requiredValue(path.child("matchConstraints")));
  else {
    const at = path.child("matchConstraints");
    errors.push(...validateMatchResources(matchConstraints, at));
    if ((matchConstraints.resourceRules ?? []).length === 0) errors.push(requiredValue(at.child("resourceRules")));
    errors.push(...inRules(at));
  }
  if (conditions) {
    errors.push(
      ...validateMatchConditions(
        spec.matchConditions ?? [],
        path.child("matchConditions"),
        checks,
        stored.matchConditions,
      ),
    );
  }
  variables.forEach((variable, i) => {
    errors.push(...validateVariable(variable, path.child("variables").index(i), checks, stored));
  });
  return { errors, checks, path };
}

function failurePolicyErrors(failurePolicy: string | undefined, path: FieldPath): FieldError[] {
  if (failurePolicy === undefined) return [requiredValue(path)];
  if (FAILURE_POLICIES.includes(failurePolicy)) return [];
  return [notSupported(path, new JsonShown(failurePolicy), FAILURE_POLICIES)];
}
