import { expect, test } from "vitest";
import { entryShapes, type MatchedPolicy } from "./entries.ts";

const policy = (
  name: string,
  rules: readonly [groups: string, versions: string, resources: string, operations?: string][],
  more: Partial<MatchedPolicy> = {},
): MatchedPolicy => ({
  name,
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespacedOnly: false,
  rules: rules.map(([groups, versions, resources, operations = "CREATE"]) => ({
    apiGroups: groups.split(","),
    apiVersions: versions.split(","),
    resources: resources.split(","),
    operations: operations.split(",") as never,
  })),
  ...more,
});

/** `Fail Equivalent 0: apps/v1 deployments CREATE` */
const shown = (policies: readonly MatchedPolicy[]): string[] =>
  entryShapes(policies).flatMap(({ failurePolicy, matchPolicy, lane, rules }) =>
    rules.map(({ apiGroups, apiVersions, resources, operations, scope }) =>
      [
        `${failurePolicy} ${matchPolicy} ${lane}:`,
        `${apiGroups}/${apiVersions}`,
        resources.join(","),
        operations.join(","),
        ...(scope === "*" ? [] : [scope]),
      ].join(" "),
    ),
  );

// biome-ignore format: one case per line
test.each<[string, readonly MatchedPolicy[], readonly string[]]>([
  ["nothing for nothing", [], []],
  ["one rule for all resources of one kind of request",
    [policy("a", [["apps", "v1", "deployments"]]), policy("b", [["apps", "v1", "statefulsets"]])],
    ["Fail Equivalent 0: apps/v1 deployments,statefulsets CREATE"]],
  ["operations of one resource are joined",
    [policy("a", [["", "v1", "pods"]]), policy("b", [["", "v1", "pods", "UPDATE"]])],
    ["Fail Equivalent 0: /v1 pods CREATE,UPDATE"]],
  ["what a wildcard covers is not repeated",
    [policy("a", [["*", "*", "*", "*"]]), policy("b", [["", "*", "pods"], ["", "*", "pods/exec", "CONNECT"]])],
    ["Fail Equivalent 0: /* pods/exec CONNECT", "Fail Equivalent 0: */* * *"]],
  ["failure policies and match policies apart",
    [policy("a", [["", "v1", "pods"]]), policy("b", [["", "v1", "pods"]], { failurePolicy: "Ignore" }), policy("c", [["", "v1", "pods"]], { matchPolicy: "Exact" })],
    ["Fail Equivalent 0: /v1 pods CREATE", "Fail Exact 0: /v1 pods CREATE", "Ignore Equivalent 0: /v1 pods CREATE"]],
  ["another version of a resource needs a call of its own",
    [policy("a", [["autoscaling", "v1", "horizontalpodautoscalers"]]), policy("b", [["autoscaling", "v2", "horizontalpodautoscalers"]]), policy("c", [["", "v1", "pods"]])],
    ["Fail Equivalent 0: /v1 pods CREATE", "Fail Equivalent 0: autoscaling/v1 horizontalpodautoscalers CREATE", "Fail Equivalent 1: autoscaling/v2 horizontalpodautoscalers CREATE"]],
  ["a policy that only namespaces bind is not asked about the cluster",
    [policy("a", [["", "v1", "pods"]], { namespacedOnly: true })],
    ["Fail Equivalent 0: /v1 pods CREATE Namespaced"]],
])("%s", (_, policies, want) => expect(shown(policies)).toEqual(want));

test("entries do not grow with policies, and their order does not matter", () => {
  const many = Array.from({ length: 1000 }, (_, i) =>
    policy(`p${i}`, [["apps", "v1", i % 2 ? "deployments" : "statefulsets"]]),
  );
  expect(shown(many)).toEqual(["Fail Equivalent 0: apps/v1 deployments,statefulsets CREATE"]);
  expect(entryShapes([...many].reverse())).toEqual(entryShapes(many));
});
