// Validates a MutatingAdmissionPolicy or its binding, on create and on update, after defaulting. The parts shared with
// validating policies are validated by the same code. Upstream: kubernetes pkg/apis/admissionregistration/validation.

import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import { trimSpace } from "../../evaluate/go-text.ts";
import { MUTATION_TYPES } from "../../mutating/compile.ts";
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
  PatchType,
} from "../../policy.ts";
import type { CheckingOptions, ExpressionChecks } from "../expression-checks.ts";
import { type NameOptions, reservedNameErrors } from "./static-names.ts";
import { modeOf, type StoredExpressions } from "./stored-expressions.ts";
import { bindingSpecErrors } from "./validate-binding.ts";
import {
  changedPolicyErrors,
  newPolicyErrors,
  sharedErrors,
  type ValidatePolicyOptions,
} from "./validate-policy-spec.ts";

/** There is no object to mutate in a DELETE. */
const OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];
const PATCH_TYPES = ["ApplyConfiguration", "JSONPatch"];
const REINVOCATION_POLICIES = ["IfNeeded", "Never"];

/** Errors of a mutating policy, as the API server reports them. */
export function validateMutatingPolicy(
  policy: MutatingAdmissionPolicy,
  options: ValidatePolicyOptions = {},
): FieldError[] {
  return newPolicyErrors(policy, specErrors, options);
}

export function validateMutatingPolicyUpdate(
  policy: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy,
  options: CheckingOptions = {},
): FieldError[] {
  return changedPolicyErrors(policy, old, specErrors, options);
}

/** Errors of the binding of a mutating policy, as the API server reports them. */
export function validateMutatingBinding(
  binding: MutatingAdmissionPolicyBinding,
  options: NameOptions = {},
): FieldError[] {
  return [...mutatingBindingErrors(binding), ...reservedNameErrors(binding.metadata.name ?? "", options)];
}

export function validateMutatingBindingUpdate(binding: MutatingAdmissionPolicyBinding): FieldError[] {
  return mutatingBindingErrors(binding);
}

function mutatingBindingErrors({ metadata, spec }: MutatingAdmissionPolicyBinding): FieldError[] {
  const path = fieldPath("spec");
  return [
    ...validateObjectMeta(metadata, false, checkDns1123Subdomain),
    ...bindingSpecErrors(spec, path),
    ...operationErrors(spec.matchResources, path.child("matchResources")),
  ];
}

function specErrors(
  { spec }: MutatingAdmissionPolicy,
  stored: StoredExpressions,
  conditions: boolean,
  options: CheckingOptions,
): FieldError[] {
  const inRules = (at: FieldPath): readonly FieldError[] => operationErrors(spec.matchConstraints, at);
  const { errors, checks, path } = sharedErrors(spec, stored, conditions, options, { composed: true, inRules });
  const { mutations = [], reinvocationPolicy = "" } = spec;
  const at = path.child("mutations");
  const inMutations =
    mutations.length === 0
      ? [requiredValue(at, "mutations must contain at least one item")]
      : mutations.flatMap((mutation, i) => mutationErrors(mutation, at.index(i), checks, stored));
  return [
    ...errors,
    ...inMutations,
    ...oneOf(reinvocationPolicy, REINVOCATION_POLICIES, path.child("reinvocationPolicy")),
  ];
}

/** An error of the list of rules as a whole, beside those of each rule. */
function operationErrors(resources: MatchResources | undefined, path: FieldPath): FieldError[] {
  const at = path.child("resourceRules").child("operations");
  return (resources?.resourceRules ?? []).flatMap(({ operations = [] }) =>
    operations
      .filter((operation) => !OPERATIONS.includes(operation))
      .map((operation) => notSupported(at, new JsonShown(operation), OPERATIONS)),
  );
}

function oneOf(value: string, supported: readonly string[], path: FieldPath): FieldError[] {
  if (value === "") return [requiredValue(path)];
  return supported.includes(value) ? [] : [notSupported(path, new JsonShown(value), supported)];
}

const BODIES: Readonly<Record<PatchType, "applyConfiguration" | "jsonPatch">> = {
  ApplyConfiguration: "applyConfiguration",
  JSONPatch: "jsonPatch",
};

function mutationErrors(
  mutation: Mutation,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  const { patchType } = mutation;
  const wrong = oneOf(patchType ?? "", PATCH_TYPES, path.child("patchType"));
  if (wrong.length > 0 || patchType === undefined) return wrong;
  const own = BODIES[patchType];
  const other = own === "jsonPatch" ? "applyConfiguration" : "jsonPatch";
  const at = path.child(own);
  const body = mutation[own];
  return [
    ...(body === undefined
      ? [requiredValue(at, `must be specified when patchType is ${patchType}`)]
      : expressionErrors(patchType, body.expression ?? "", at.child("expression"), checks, stored)),
    ...(mutation[other] === undefined
      ? []
      : [invalidValue(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}

function expressionErrors(
  patchType: PatchType,
  expression: string,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  const text = trimSpace(expression);
  if (text === "") return [requiredValue(path)];
  const mode = modeOf(stored.configurations, expression);
  return checks.check({ text, path, returnTypes: MUTATION_TYPES[patchType], mode, authorizer: true, patches: true });
}
