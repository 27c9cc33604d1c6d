// Chooses the strategy of a built-in resource or subresource.

import type { WrittenResource } from "../resource.ts";
import { definitionStrategy } from "./definition-strategy.ts";
import { namespaceStrategy } from "./namespace-strategy.ts";
import { plainStrategy } from "./plain-strategy.ts";
import { type PolicyHosts, policyStrategy } from "./policy-strategy.ts";
import { rulesStrategy } from "./rules-strategy.ts";
import type { Strategy } from "./strategy.ts";
import { webhookStrategy } from "./webhook-strategy.ts";

/** The strategy of a built-in resource or subresource; its rules are loaded on first use. */
export async function loadStrategy(
  resource: WrittenResource,
  subresource: string,
  hosts: PolicyHosts,
): Promise<Strategy> {
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
    case "ValidatingAdmissionPolicyBinding":
    case "MutatingAdmissionPolicy":
    case "MutatingAdmissionPolicyBinding":
      return policyStrategy(resource, subresource, hosts);
    case "ValidatingWebhookConfiguration":
    case "MutatingWebhookConfiguration":
      return webhookStrategy(resource, hosts);
    case "CustomResourceDefinition":
      return definitionStrategy(resource, subresource);
    case "Namespace":
      return (await rulesStrategy(resource, subresource)) ?? namespaceStrategy(resource, subresource);
    default:
      return (await rulesStrategy(resource, subresource)) ?? plainStrategy(resource, subresource);
  }
}
