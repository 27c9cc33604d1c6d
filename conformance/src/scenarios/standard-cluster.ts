// The in-memory cluster with everything the packages bring: each adds its handlers and plugins here.

import { BUILTIN_HANDLERS } from "./builtin-kinds.ts";
import { Cluster } from "./cluster.ts";
import { createDefinitions } from "./custom-resources.ts";
import { authorize, createPolicies } from "./policies.ts";
import { policyResources } from "./policy-resources.ts";

export function createCluster(): Cluster {
  const policies = createPolicies(policyResources);
  return new Cluster({
    handlers: [policies.handler, ...BUILTIN_HANDLERS, ...createDefinitions()],
    plugins: [policies.plugin],
    authorize,
  });
}
