// Every step of the scenarios about webhooks, and every call they cause, replayed and compared with what kube-apiserver did.

import { describe, expect, test } from "vitest";
import { runScenario } from "../run.ts";
import { loadScenario, loadScenarios } from "../scenario.ts";
import { createCluster } from "../standard-cluster.ts";

const STORIES = ["webhook-exclude-leases", "webhook-exempt-nodes", "webhook-to-policy"];
const SCENARIOS = [...loadScenarios("match-conditions"), ...STORIES.map((name) => loadScenario(`stories/${name}`))];

describe("webhooks", () => {
  test.each(SCENARIOS)("$name", async (scenario) => {
    const wrong: Record<string, readonly string[]> = {};
    for (const { id, differences } of await runScenario(scenario, createCluster())) {
      if (differences.length > 0) wrong[id] = differences;
    }
    expect(wrong).toEqual({});
  });
});
