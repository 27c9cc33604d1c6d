// Every step of the policy scenarios, replayed against the in-memory cluster and compared with what kube-apiserver answered.

import { describe, expect, test } from "vitest";
import { namespaceHandler, workloadHandler } from "./builtin-kinds.ts";
import { customResourceHandler, definitionHandler } from "./definitions.ts";
import { Cluster } from "./cluster.ts";
import { authorize, createPolicies } from "./policies.ts";
import { runScenario } from "./run.ts";
import { loadScenarios } from "./scenario.ts";
import { serverOnlyReason } from "./server-only.ts";

const GROUPS = ["vap", "vap-match", "vap-messages", "vap-params", "stories"];

describe.each(GROUPS)("%s", (group) => {
  test.each(loadScenarios(group))("$name", async (scenario) => {
    const { handler, plugin } = createPolicies();
    const cluster = new Cluster({ handlers: [handler, namespaceHandler, workloadHandler, definitionHandler, customResourceHandler], plugins: [plugin], authorize });
    const results = await runScenario(scenario, cluster);
    const wrong = results.filter(({ id, differences }) => differences.length > 0 && !serverOnlyReason(scenario.name, id));
    expect(Object.fromEntries(wrong.map(({ id, differences }) => [id, differences]))).toEqual({});
  });
});
