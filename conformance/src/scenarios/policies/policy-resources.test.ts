// Policies and bindings as resources: every answer to writing them and the status they get, objects and all.

import { describe, expect, test } from "vitest";
import { NOT_ANSWERED, reasonNotAnswered } from "../not-answered.ts";
import { runScenario } from "../run.ts";
import { loadScenarios } from "../scenario.ts";
import { createCluster } from "../standard-cluster.ts";

const GROUPS = ["vap-api", "vap-status"];

const differing = new Set<string>();

describe.each(GROUPS)("%s", (group) => {
  test.each(loadScenarios(group))("$name", async (scenario) => {
    const wrong: Record<string, readonly string[]> = {};
    for (const { id, differences } of await runScenario(scenario, createCluster())) {
      if (differences.length === 0) continue;
      differing.add(`${scenario.name} ${id}`).add(scenario.name);
      if (reasonNotAnswered(scenario.name, id) === undefined) wrong[id] = differences;
    }
    expect(wrong).toEqual({});
  });
});

test("no listed gap is closed", () => {
  const listed = NOT_ANSWERED.map(({ step }) => step).filter((step) => GROUPS.includes(step.split("/", 1)[0]!));
  expect(listed.filter((step) => !differing.has(step))).toEqual([]);
});
