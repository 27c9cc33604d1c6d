// The runner itself: every scenario can be read and replayed, and a cluster without policies differs only where they decide.

import { expect, test } from "vitest";
import { ScenarioCluster } from "./cluster.ts";
import { runScenario } from "./run.ts";
import { loadScenario, loadScenarios } from "./scenario.ts";

const GROUPS = [
  "vap",
  "vap-match",
  "vap-messages",
  "vap-params",
  "vap-api",
  "vap-status",
  "stories",
  "match-conditions",
];

test.each(GROUPS)("scenarios of %s can be read", (group) => {
  const scenarios = loadScenarios(group);
  expect(scenarios.length).toBeGreaterThan(10);
  for (const { steps, recorded } of scenarios) {
    for (const step of steps) if (step.kind !== "webhook") expect(recorded.has(step.id), step.id).toBe(true);
  }
});

test("a cluster without policies admits everything", async () => {
  const results = await runScenario(loadScenario("vap-match/binding-selectors"), new ScenarioCluster());
  const request = (id: string) => results.find((result) => result.id === id)!;
  expect(request("spared").differences).toEqual([]);
  expect(request("for-a").answer.code).toBe(201);
  expect(request("for-a").differences).toContainEqual(expect.stringMatching(/^code: want 422, got 201/));
});
