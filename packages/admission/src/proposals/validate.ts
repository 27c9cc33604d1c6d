// Validates the fields of enabled gates, and finds fields that clusters do not have.

import { pushAll } from "@celadon/base";
import { nameOf, namespaceOf } from "@celadon/kube";
import {
  duplicateValue,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
  tooMany,
} from "@celadon/kube/errors";
import { checkDns1123Label, checkQualifiedName } from "@celadon/kube/names";
import type { MatchResources, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import type { NamespaceLists, SingletonFields, ValidationFields } from "./fields.ts";
import type { GateName, Gates } from "./gates.ts";

const SPEC = FieldPath.root.child("spec");

export interface PolicyLimits {
  readonly bindingsPerPolicy: number;
  readonly validations: number;
  readonly variables: number;
  readonly resourceRules: number;
  readonly namespaces: number;
}

export const DEFAULT_POLICY_LIMITS: PolicyLimits = {
  bindingsPerPolicy: 100,
  validations: 64,
  variables: 64,
  resourceRules: 64,
  namespaces: 256,
};

/** Errors beyond those of the API, for the gates that are on. */
export function validateGatedPolicy(
  policy: ValidatingAdmissionPolicy,
  gates: Gates,
  limits: PolicyLimits = DEFAULT_POLICY_LIMITS,
): FieldError[] {
  const { spec } = policy;
  return [
    ...(gates.SingletonPolicies ? singletonErrors(policy) : []),
    ...(gates.NamespaceLists && spec.matchConstraints
      ? listErrors(spec.matchConstraints, SPEC.child("matchConstraints"))
      : []),
    ...validationErrors(policy, gates),
    ...(gates.PolicyLimits ? lengthErrors(policy, limits) : []),
  ];
}

/** Errors of those fields of a binding that only a feature gate allows. */
export function validateGatedBinding(
  binding: ValidatingAdmissionPolicyBinding,
  gates: Gates,
  limits: PolicyLimits = DEFAULT_POLICY_LIMITS,
): FieldError[] {
  const { spec, metadata } = binding;
  const errors: FieldError[] = [];
  const namespace = metadata.namespace ?? "";
  if (gates.NamespacedBindings && namespace !== "") {
    const where = FieldPath.root.child("metadata").child("namespace");
    for (const problem of checkDns1123Label(namespace)) errors.push(invalidValue(where, namespace, problem));
    const params = spec.paramRef?.namespace ?? "";
    if (params !== "" && params !== namespace) {
      errors.push(forbiddenField(SPEC.child("paramRef").child("namespace"), "must be the binding's own namespace"));
    }
  }
  if (gates.NamespaceLists && spec.matchResources)
    pushAll(errors, listErrors(spec.matchResources, SPEC.child("matchResources")));
  if (gates.PolicyLimits) pushAll(errors, ruleErrors(spec.matchResources, SPEC.child("matchResources"), limits));
  return errors;
}

/** The error of a binding that exceeds the number of bindings its policy allows. */
export function validateBindingCount(
  binding: ValidatingAdmissionPolicyBinding,
  others: Iterable<ValidatingAdmissionPolicyBinding>,
  gates: Gates,
  limits: PolicyLimits = DEFAULT_POLICY_LIMITS,
): FieldError[] {
  if (!gates.PolicyLimits) return [];
  let count = 1;
  for (const other of others) {
    const itself = nameOf(other) === nameOf(binding) && namespaceOf(other) === namespaceOf(binding);
    if (other.spec.policyName === binding.spec.policyName && !itself) count++;
  }
  if (count <= limits.bindingsPerPolicy) return [];
  const detail = `the policy has ${limits.bindingsPerPolicy} bindings already`;
  return [forbiddenField(SPEC.child("policyName"), detail)];
}

function singletonErrors({ spec }: ValidatingAdmissionPolicy): FieldError[] {
  const { singletonPolicy, validationActions } = spec as typeof spec & SingletonFields;
  const errors: FieldError[] = [];
  if (singletonPolicy === true) {
    if (spec.paramKind) errors.push(forbiddenField(SPEC.child("paramKind"), "a singleton policy has no params"));
  } else if (validationActions) {
    errors.push(forbiddenField(SPEC.child("validationActions"), "only a singleton policy has actions of its own"));
  }
  const path = SPEC.child("validationActions");
  validationActions?.forEach((action, i) => {
    if (!ACTIONS.includes(action)) errors.push(notSupported(path.index(i), new JsonShown(action), ACTIONS));
    if (validationActions.indexOf(action) < i) errors.push(duplicateValue(path.index(i), new JsonShown(action)));
  });
  if (validationActions?.length === 0) errors.push(requiredValue(path, "at least one validation action is required"));
  if (validationActions?.includes("Deny") && validationActions.includes("Warn")) {
    errors.push(invalidValue(path, validationActions, "must not contain both Deny and Warn"));
  }
  return errors;
}

const ACTIONS: readonly string[] = ["Audit", "Deny", "Warn"];
const FAILURE_POLICIES: readonly string[] = ["Fail", "Ignore"];

function validationErrors({ spec }: ValidatingAdmissionPolicy, gates: Gates): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  (spec.validations ?? []).forEach((validation, i) => {
    const { name, code, failurePolicy } = validation as typeof validation & ValidationFields;
    const path = SPEC.child("validations").index(i);
    if (gates.NamedValidations && name !== undefined) {
      for (const problem of checkQualifiedName(name)) errors.push(invalidValue(path.child("name"), name, problem));
      if (names.has(name)) errors.push(duplicateValue(path.child("name"), name));
      names.add(name);
    }
    if (gates.NamedValidations && code !== undefined && !(Number.isInteger(code) && code >= 400 && code <= 599)) {
      errors.push(invalidValue(path.child("code"), code, "must be between 400 and 599"));
    }
    if (gates.ValidationFailurePolicy && failurePolicy !== undefined && !FAILURE_POLICIES.includes(failurePolicy)) {
      errors.push(notSupported(path.child("failurePolicy"), new JsonShown(failurePolicy), FAILURE_POLICIES));
    }
  });
  return errors;
}

function listErrors(match: MatchResources, path: FieldPath): FieldError[] {
  const { namespaces = [], excludeNamespaces = [] } = match as NamespaceLists;
  const errors: FieldError[] = [];
  for (const [field, list] of [
    ["namespaces", namespaces],
    ["excludeNamespaces", excludeNamespaces],
  ] as const) {
    list.forEach((name, i) => {
      for (const problem of checkDns1123Label(name))
        errors.push(invalidValue(path.child(field).index(i), name, problem));
      if (list.indexOf(name) < i) errors.push(duplicateValue(path.child(field).index(i), name));
    });
  }
  excludeNamespaces.forEach((name, i) => {
    if (!namespaces.includes(name)) return;
    errors.push(invalidValue(path.child("excludeNamespaces").index(i), name, "is also in namespaces"));
  });
  return errors;
}

function lengthErrors({ spec }: ValidatingAdmissionPolicy, limits: PolicyLimits): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["validations", "variables"] as const) {
    const count = spec[field]?.length ?? 0;
    if (count > limits[field]) errors.push(tooMany(SPEC.child(field), count, limits[field]));
  }
  return [...errors, ...ruleErrors(spec.matchConstraints, SPEC.child("matchConstraints"), limits)];
}

function ruleErrors(match: MatchResources | undefined, path: FieldPath, limits: PolicyLimits): FieldError[] {
  if (match === undefined) return [];
  const { namespaces, excludeNamespaces } = match as NamespaceLists;
  const lists = [
    ["resourceRules", match.resourceRules, limits.resourceRules],
    ["excludeResourceRules", match.excludeResourceRules, limits.resourceRules],
    ["namespaces", namespaces, limits.namespaces],
    ["excludeNamespaces", excludeNamespaces, limits.namespaces],
  ] as const;
  return lists.flatMap(([field, list = [], limit]) =>
    list.length > limit ? [tooMany(path.child(field), list.length, limit)] : [],
  );
}

/** Fields that only a feature gate adds, whether it is on or off: a cluster prunes them, or rejects them in strict mode. */
export function gatedFields(
  resource: ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding,
): { gate: GateName; path: FieldPath }[] {
  const found: { gate: GateName; path: FieldPath }[] = [];
  const add = (gate: GateName, holder: object | undefined, path: FieldPath, ...fields: string[]): void => {
    for (const field of fields)
      if (holder && Object.hasOwn(holder, field)) found.push({ gate, path: path.child(field) });
  };
  // The resource may be as a user wrote it: `spec: null`.
  if (resource.kind === "ValidatingAdmissionPolicy") {
    const spec: Partial<typeof resource.spec> = resource.spec ?? {};
    add("SingletonPolicies", spec, SPEC, "singletonPolicy", "validationActions");
    add("NamespaceLists", spec.matchConstraints, SPEC.child("matchConstraints"), "namespaces", "excludeNamespaces");
    (Array.isArray(spec.validations) ? spec.validations : []).forEach((validation, i) => {
      const path = SPEC.child("validations").index(i);
      add("NamedValidations", validation, path, "name", "code");
      add("ValidationFailurePolicy", validation, path, "failurePolicy");
    });
  } else {
    add("NamespacedBindings", resource.metadata, FieldPath.root.child("metadata"), "namespace");
    add(
      "NamespaceLists",
      resource.spec?.matchResources,
      SPEC.child("matchResources"),
      "namespaces",
      "excludeNamespaces",
    );
  }
  return found;
}
