// Validates the common part of policies: failure policy, params, rules, match conditions, variables. Order and words are upstream's:
// kubernetes pkg/apis/admissionregistration/validation.

import { deepEqual, pushAll } from "@celadon/base";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  JsonShown,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import type { Policy, PolicySpec } from "../../policy.ts";
import { type CheckingOptions, ExpressionChecks } from "../expression-checks.ts";
import { type NameOptions, reservedNameErrors } from "./static-names.ts";
import { NOTHING_STORED, type StoredExpressions, storedExpressions } from "./stored-expressions.ts";
import { validateMatchConditions } from "./validate-match-conditions.ts";
import { validateMatchResources } from "./validate-match-resources.ts";
import { validateParamKind } from "./validate-param-kind.ts";
import { validateVariable } from "./validate-variable.ts";

const FAILURE_POLICIES = ["Fail", "Ignore"];

/** Options for validating a policy. */
export interface ValidatePolicyOptions extends NameOptions, CheckingOptions {}

/** Finds the errors of one kind of policy in a spec; expressions that were stored already may stay. */
type SpecErrors<P> = (
  policy: P,
  stored: StoredExpressions,
  conditions: boolean,
  options: CheckingOptions,
) => readonly FieldError[];

export function newPolicyErrors<P extends Policy>(
  policy: P,
  specErrors: SpecErrors<P>,
  options: ValidatePolicyOptions,
): FieldError[] {
  return [
    ...validateObjectMeta(policy.metadata, false, checkDns1123Subdomain),
    ...specErrors(policy, NOTHING_STORED, true, options),
    ...reservedNameErrors(policy.metadata.name ?? "", options),
  ];
}

export function changedPolicyErrors<P extends Policy>(
  policy: P,
  old: P,
  specErrors: SpecErrors<P>,
  options: CheckingOptions,
): FieldError[] {
  return [
    ...validateObjectMeta(policy.metadata, false, checkDns1123Subdomain),
    ...specErrors(policy, storedExpressions(old), conditionsChanged(policy, old), options),
  ];
}

/** Match conditions are not checked again while they and the paramKind stay as they are. */
function conditionsChanged(policy: { readonly spec: PolicySpec }, old: { readonly spec: PolicySpec }): boolean {
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

/** The rules of one kind of policy beside the common ones. */
export interface KindRules {
  /** There is a `variables` even where the policy has none. */
  readonly composed?: boolean;
  readonly inRules?: (path: FieldPath) => readonly FieldError[];
}

export function sharedErrors(
  spec: PolicySpec,
  stored: StoredExpressions,
  conditions: boolean,
  options: CheckingOptions,
  { composed = false, inRules = () => [] }: KindRules = {},
): SharedErrors {
  const path = fieldPath("spec");
  const { paramKind, matchConstraints, variables = [] } = spec;
  const checks = new ExpressionChecks(paramKind !== undefined, composed || variables.length > 0, options);
  const errors = failurePolicyErrors(spec.failurePolicy, path.child("failurePolicy"));
  if (paramKind !== undefined) pushAll(errors, validateParamKind(paramKind, path.child("paramKind")));
  if (matchConstraints === undefined) errors.push(requiredValue(path.child("matchConstraints")));
  else {
    const at = path.child("matchConstraints");
    pushAll(errors, validateMatchResources(matchConstraints, at, checks.by));
    if ((matchConstraints.resourceRules ?? []).length === 0) errors.push(requiredValue(at.child("resourceRules")));
    pushAll(errors, inRules(at));
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
    pushAll(errors, validateVariable(variable, path.child("variables").index(i), checks, stored));
  });
  return { errors, checks, path };
}

function failurePolicyErrors(failurePolicy: string | undefined, path: FieldPath): FieldError[] {
  if (failurePolicy === undefined) return [requiredValue(path)];
  if (FAILURE_POLICIES.includes(failurePolicy)) return [];
  return [notSupported(path, new JsonShown(failurePolicy), FAILURE_POLICIES)];
}
