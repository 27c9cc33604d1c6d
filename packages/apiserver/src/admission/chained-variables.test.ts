// Policies whose compilation and type checking could hold everybody up.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { testServer } from "../server.testing.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

test("eight hundred variables, each naming the one before, for every resource: others wait for a moment, and the policy is checked", async () => {
  const { server, admin } = await testServer();
  const loop = monitorEventLoopDelay({ resolution: 5 });
  try {
    const variables = Array.from({ length: 800 }, (_, i) => ({
      name: `v${i}`,
      expression: i === 0 ? "1" : `variables.v${i - 1}`,
    }));
    const body = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "chained" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
        },
        variables,
        validations: [{ expression: "variables.v799 == 1" }],
      },
    };
    loop.enable();
    expect((await admin.call("POST", POLICIES, { body })).code).toBe(201);
    const observed = async () => (await admin.call("GET", `${POLICIES}/chained`)).json().status?.observedGeneration;
    await expect.poll(observed, { timeout: 20_000 }).toBe(1);
    // It was nineteen seconds.
    expect(loop.max / 1e6).toBeLessThan(2_000);
  } finally {
    loop.disable();
    await server.close();
  }
}, 30_000);
