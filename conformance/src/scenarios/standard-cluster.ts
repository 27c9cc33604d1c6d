// The in-memory cluster with everything the packages bring: each adds its handlers and plugins here.

import type { Chain } from "@celadon/admission/chain";
import { builtinHandler } from "./builtin-kinds.ts";
import { ScenarioCluster } from "./cluster.ts";
import { createDefinitions } from "./custom-resources.ts";
import type { Write } from "./handler.ts";
import { mutationHosts } from "./mutation-hosts.ts";
import { authorize, createPolicies, hostsOf } from "./policies/policies.ts";
import { policyResources } from "./policies/policy-resources.ts";
import { createWebhooks, type Endpoints } from "./webhooks/webhooks.ts";

export function createCluster(): ScenarioCluster & { readonly webhooks: Endpoints } {
  const policies = createPolicies(policyResources);
  const webhooks = createWebhooks();
  const chain = (write: Write): Chain => ({
    mutatingPolicies: policies.mutatingPolicies,
    policies: policies.policies,
    webhooks: webhooks.webhooks,
    hosts: { ...hostsOf(write.cluster), ...webhooks.hosts(write), ...mutationHosts(write) },
  });
  const cluster = new ScenarioCluster({
    handlers: [policies.handler, webhooks.handler, builtinHandler, ...createDefinitions()],
    chain,
    authorize,
  });
  return Object.assign(cluster, { webhooks: webhooks.endpoints });
}
