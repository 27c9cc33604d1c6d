// Validates a ValidatingAdmissionPolicyBinding after defaulting; updates like creates.

import { pushAll } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain, checkPathSegmentName } from "@celadon/kube/names";
import { validateLabelSelector } from "@celadon/kube/selectors";
import type { BindingSpec, ParamRef, ValidatingAdmissionPolicyBinding } from "../../policy.ts";
import { type NameOptions, reservedNameErrors } from "./static-names.ts";
import { validateMatchResources } from "./validate-match-resources.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];
const DENY_AND_WARN =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
const EXCLUSIVE = "name and selector are mutually exclusive";

/** Errors of a binding, as the API server reports them. */
export function validateBinding(binding: ValidatingAdmissionPolicyBinding, options: NameOptions = {}): FieldError[] {
  return [...bindingErrors(binding), ...reservedNameErrors(binding.metadata.name ?? "", options)];
}

/** The old binding has no say, but for what holds for the metadata of all objects. */
export function validateBindingUpdate(binding: ValidatingAdmissionPolicyBinding): FieldError[] {
  return bindingErrors(binding);
}

function bindingErrors({ metadata, spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const path = fieldPath("spec");
  return [
    ...validateObjectMeta(metadata, false, checkDns1123Subdomain),
    ...bindingSpecErrors(spec, path),
    ...actionErrors(spec.validationActions ?? [], path.child("validationActions")),
  ];
}

/** Validates the common part of bindings. */
export function bindingSpecErrors(spec: BindingSpec, path: FieldPath): FieldError[] {
  const { policyName = "" } = spec;
  const at = path.child("policyName");
  return [
    ...(policyName === ""
      ? [requiredValue(at)]
      : checkDns1123Subdomain(policyName).map((problem) => invalidValue(at, policyName, problem))),
    ...(spec.paramRef === undefined ? [] : validateParamRef(spec.paramRef, path.child("paramRef"))),
    ...validateMatchResources(spec.matchResources, path.child("matchResources")),
  ];
}

/** Does not validate the namespace. */
export function validateParamRef(ref: ParamRef, path: FieldPath): FieldError[] {
  const { name = "", selector, parameterNotFoundAction: action = "" } = ref;
  const errors =
    name === "" ? [] : checkPathSegmentName(name).map((problem) => invalidValue(path.child("name"), name, problem));
  const both = name !== "" && selector !== undefined;
  if (both) errors.push(forbiddenField(path.child("name"), EXCLUSIVE));
  pushAll(errors, validateLabelSelector(selector, path.child("selector")));
  if (both) errors.push(forbiddenField(path.child("selector"), EXCLUSIVE));
  if (name === "" && selector === undefined)
    errors.push(requiredValue(path, "one of name or selector must be specified"));
  const at = path.child("parameterNotFoundAction");
  if (action === "") errors.push(requiredValue(at));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(notSupported(at, new JsonShown(action), NOT_FOUND_ACTIONS));
  return errors;
}

/** The type of the list in Go, which older servers print. */
const GO_ACTIONS = "[]admissionregistration.ValidationAction";

function actionErrors(actions: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  actions.forEach((action, i) => {
    if (!ACTIONS.includes(action)) errors.push(notSupported(path.index(i), new JsonShown(action), ACTIONS));
    if (seen.has(action)) errors.push(duplicateValue(path.index(i), new JsonShown(action)));
    seen.add(action);
  });
  if (seen.has("Deny") && seen.has("Warn"))
    errors.push(invalidValue(path, new JsonShown(actions, GO_ACTIONS), DENY_AND_WARN));
  if (seen.size === 0) errors.push(requiredValue(path, "at least one validation action is required"));
  return errors;
}
