// The fields gates bring, read from policies and bindings as they were sent: a field of a gate that is off is not there.

import type { Binding, FailurePolicy, MatchResources, Policy, Validation, ValidationAction } from "../policy.ts";
import type { Gates } from "./gates.ts";

/** spec of a policy that needs no binding. */
export interface SingletonFields {
  readonly singletonPolicy?: boolean;
  /** The actions for failures; `[Deny]` when absent. */
  readonly validationActions?: readonly ValidationAction[];
}

export interface NamespaceLists {
  readonly namespaces?: readonly string[];
  readonly excludeNamespaces?: readonly string[];
}

export interface ValidationFields {
  readonly name?: string;
  /** The HTTP status of a denial. */
  readonly code?: number;
  readonly failurePolicy?: FailurePolicy;
}

/** The actions of a policy that needs no binding, or undefined when it does. */
export function singletonActions(policy: Policy, gates: Gates): readonly ValidationAction[] | undefined {
  if (!gates.SingletonPolicies) return undefined;
  const { singletonPolicy, validationActions } = policy.spec as SingletonFields;
  return singletonPolicy === true ? (validationActions ?? ["Deny"]) : undefined;
}

export function namespaceLists(match: MatchResources, gates: Gates): NamespaceLists {
  if (!gates.NamespaceLists) return NO_LISTS;
  const { namespaces, excludeNamespaces } = match as NamespaceLists;
  return { ...(namespaces && { namespaces }), ...(excludeNamespaces && { excludeNamespaces }) };
}

const NO_LISTS: NamespaceLists = {};

/** The namespace a binding is confined to. */
export function bindingNamespace(binding: Binding, gates: Gates): string | undefined {
  return (gates.NamespacedBindings && binding.metadata?.namespace) || undefined;
}

export function validationFields(validation: Validation, gates: Gates): ValidationFields {
  const { name, code, failurePolicy } = validation as Validation & ValidationFields;
  return {
    ...(gates.NamedValidations && name !== undefined && { name }),
    ...(gates.NamedValidations && code !== undefined && { code }),
    ...(gates.ValidationFailurePolicy && failurePolicy !== undefined && { failurePolicy }),
  };
}
