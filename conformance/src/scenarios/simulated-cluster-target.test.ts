// Every write of every scenario through a simulated cluster, compared with what kube-apiserver answered.

import { describe, expect, test } from "vitest";
import { reasonNotAnswered } from "./not-answered.ts";
import { runScenario } from "./run.ts";
import { loadScenarios } from "./scenario.ts";
import { SimulatedClusterTarget } from "./simulated-cluster-target.ts";
import { createCluster } from "./standard-cluster.ts";

const GROUPS = [
  "crd-api",
  "crd-ratchet",
  "crd-rules",
  "crd-schema",
  "crd-transition",
  "match-conditions",
  "stories",
  "vap",
  "vap-api",
  "vap-match",
  "vap-messages",
  "vap-params",
  "vap-status",
  "map",
];

/** The steps that a simulated cluster does not answer, with reasons. A step that is answered rightly must leave the list. */
const NOT_SIMULATED: Readonly<Record<string, string>> = {
  "crd-schema/conversion-none v2-b": "an answer comes back from the version that is stored, which prunes once more",
  "crd-schema/metadata kind-differs":
    "the kind of an object says where it is sent; a client of the API may send it elsewhere",
  "vap-api/unknown-fields bad-directive": "options of the request are not validated",
};

/** The steps with another selection of webhooks. */
const NOT_SELECTED: ReadonlySet<string> = new Set([
  // The first one's change decides whether the second is called.
  "match-conditions/mutating",
]);

const reasonFor = (scenario: string, id: string): string | undefined =>
  NOT_SIMULATED[`${scenario} ${id}`] ?? NOT_SIMULATED[scenario] ?? reasonNotAnswered(scenario, id);

const differing = new Set<string>();

describe.each(GROUPS)("%s", (group) => {
  test.each(loadScenarios(group))("$name", async (scenario) => {
    const wrong: Record<string, readonly string[]> = {};
    const target = new SimulatedClusterTarget(createCluster());
    for (const { id, differences } of await runScenario(scenario, target)) {
      if (differences.length === 0) continue;
      differing.add(`${scenario.name} ${id}`).add(scenario.name);
      if (reasonFor(scenario.name, id) === undefined) wrong[id] = differences;
    }
    expect(wrong).toEqual({});
    expect(target.misselected.length > 0).toBe(NOT_SELECTED.has(scenario.name));
    expect(target.asked).toBeGreaterThan(0);
  });
});

test("no listed gap is closed", () => {
  expect(Object.keys(NOT_SIMULATED).filter((step) => !differing.has(step))).toEqual([]);
});
