// The in-memory cluster with everything the packages bring: each adds its handlers and plugins here.

import { BUILTIN_HANDLERS } from "./builtin-kinds.ts";
import { Cluster } from "./cluster.ts";
import { createDefinitions } from "./custom-resources.ts";
import { authorize, createPolicies } from "./policies.ts";
import { policyResources } from "./policy-resources.ts";
import { createWebhooks, type Endpoints } from "./webhooks.ts";

export function createCluster(): Cluster & { readonly webhooks: Endpoints } {
  const policies = createPolicies(policyResources);
  const webhooks = createWebhooks();
  const cluster = new Cluster({
    handlers: [policies.handler, webhooks.handler, ...BUILTIN_HANDLERS, ...createDefinitions()],
    plugins: [policies.plugin, webhooks.plugin],
    authorize,
  });
  return Object.assign(cluster, { webhooks: webhooks.endpoints });
}
