// Validates a policy or binding of either family, on create and on update: one table for callers that handle all of
// them.

import type { FieldError } from "@celadon/kube/errors";
import type { CheckingOptions } from "../expression-checks.ts";
import type { PolicyResourceKind, ResourceOf } from "../read.ts";
import { validateBinding, validateBindingUpdate } from "./validate-binding.ts";
import {
  validateMutatingBinding,
  validateMutatingBindingUpdate,
  validateMutatingPolicy,
  validateMutatingPolicyUpdate,
} from "./validate-mutating-policy.ts";
import { validatePolicy, validatePolicyUpdate } from "./validate-policy.ts";

interface Validation<T> {
  create(resource: T, server: CheckingOptions): FieldError[];
  update(resource: T, old: T, server: CheckingOptions): FieldError[];
}

const VALIDATION: { readonly [K in PolicyResourceKind]: Validation<ResourceOf<K>> } = {
  ValidatingAdmissionPolicy: { create: validatePolicy, update: validatePolicyUpdate },
  ValidatingAdmissionPolicyBinding: { create: (binding) => validateBinding(binding), update: validateBindingUpdate },
  MutatingAdmissionPolicy: { create: validateMutatingPolicy, update: validateMutatingPolicyUpdate },
  MutatingAdmissionPolicyBinding: {
    create: (binding) => validateMutatingBinding(binding),
    update: validateMutatingBindingUpdate,
  },
};

/** The resource has its defaults. `old` is the resource that it replaces, of the same kind. */
export function validatePolicyResource<K extends PolicyResourceKind>(
  resource: ResourceOf<K>,
  old?: ResourceOf<K>,
  server: CheckingOptions = {},
): FieldError[] {
  const { create, update } = VALIDATION[resource.kind as K] as Validation<ResourceOf<K>>;
  return old === undefined ? create(resource, server) : update(resource, old, server);
}
