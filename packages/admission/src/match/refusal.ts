// Why a request does not match, as a value: the rule, selector or condition that excluded it. Hosts print it.

import type { RulePart } from "./rules.ts";

/** Why a policy, binding or webhook does not apply to a request. */
export type Refusal =
  /** The resource is one that webhooks never see. Policies have such too: they are not even candidates. */
  | { readonly by: "exempt"; readonly resource: string }
  | { readonly by: "namespaceSelector"; readonly selector: string; readonly namespace: string }
  | { readonly by: "objectSelector"; readonly selector: string }
  /** The lists of namespaces of a gate. */
  | { readonly by: "namespaces" | "excludeNamespaces"; readonly namespace: string }
  /** The binding is confined to its own namespace. */
  | { readonly by: "bindingNamespace"; readonly namespace: string }
  | { readonly by: "excludeResourceRules"; readonly index: number }
  /** No rule hit: for each rule the part that refused. */
  | { readonly by: "resourceRules"; readonly parts: readonly RulePart[] }
  | { readonly by: "matchCondition"; readonly name: string; readonly index: number }
  /** A condition failed, and failurePolicy says to pass over the policy. */
  | { readonly by: "matchConditionError"; readonly message: string }
  /** No params were found, and the binding allows that. */
  | { readonly by: "paramRef" }
  | { readonly by: "noBinding" };

/** The reason for not matching, as a sentence. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.by) {
    case "exempt":
      return `webhooks are never called for ${refusal.resource}`;
    case "namespaceSelector":
      return `namespaceSelector '${refusal.selector}' does not select namespace '${refusal.namespace}'`;
    case "objectSelector":
      return `objectSelector '${refusal.selector}' selects neither the object nor the old object`;
    case "namespaces":
      return `namespaces does not list namespace '${refusal.namespace}'`;
    case "excludeNamespaces":
      return `excludeNamespaces lists namespace '${refusal.namespace}'`;
    case "bindingNamespace":
      return `the binding applies only in namespace '${refusal.namespace}'`;
    case "excludeResourceRules":
      return `excludeResourceRules[${refusal.index}] excludes the request`;
    case "resourceRules":
      return `no resource rule matches: ${refusal.parts.map((part, i) => `resourceRules[${i}].${part}`).join(", ")}`;
    case "matchCondition":
      return `match condition '${refusal.name}' is false`;
    case "matchConditionError":
      return `a match condition failed and failurePolicy is Ignore: ${refusal.message}`;
    case "paramRef":
      return "no params found, and parameterNotFoundAction is Allow";
    case "noBinding":
      return "the policy has no binding";
  }
}

/** Parts of a rule in the order in which they are checked. */
const PARTS: readonly RulePart[] = ["scope", "operations", "apiGroups", "apiVersions", "resources", "resourceNames"];

/** The closeness of a request to a match. The closer one of two reasons says more about a policy that matched nothing. */
export function closeness(refusal: Refusal): number {
  switch (refusal.by) {
    case "noBinding":
    case "exempt":
      return 0;
    case "resourceRules":
      return 1 + Math.max(0, ...refusal.parts.map((part) => PARTS.indexOf(part))) / PARTS.length;
    case "namespaceSelector":
    case "objectSelector":
    case "namespaces":
    case "excludeNamespaces":
    case "bindingNamespace":
      return 2;
    case "excludeResourceRules":
      return 3;
    case "matchCondition":
      return 4 + refusal.index / 64; // at most 64 conditions
    case "matchConditionError":
      return 5;
    case "paramRef":
      return 6;
  }
}
