// Why a request was not matched, as a value: which rule, selector or condition refused it. Words are for hosts that show it.

import type { RulePart } from "./rules.ts";

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

export function refusalText(refusal: Refusal): string {
  switch (refusal.by) {
    case "exempt":
      return `webhooks are never called for ${refusal.resource}`;
    case "namespaceSelector":
      return `namespaceSelector '${refusal.selector}' does not select namespace '${refusal.namespace}'`;
    case "objectSelector":
      return `objectSelector '${refusal.selector}' selects neither the object nor the old one`;
    case "namespaces":
      return `namespaces does not list namespace '${refusal.namespace}'`;
    case "excludeNamespaces":
      return `excludeNamespaces lists namespace '${refusal.namespace}'`;
    case "bindingNamespace":
      return `the binding applies in namespace '${refusal.namespace}' alone`;
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
