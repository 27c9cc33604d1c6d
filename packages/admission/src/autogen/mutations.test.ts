// Mutating policies for pods and those derived from them: a workload's template gets the same changes as a pod, or nothing is derived.

import { describe, expect, test } from "vitest";
import type { Reading } from "../hosts.ts";
import { builtinMergeTypeOf, completeBuiltin } from "../memory/builtin-types.ts";
import { createMutatingPolicySet } from "../mutating/compile.ts";
import { mutateEntries } from "../mutating/dispatch.ts";
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "../policy.ts";
import { deriveWorkloadPolicies } from "./derive.ts";

const policyOf = (...expressions: readonly string[]): MutatingAdmissionPolicy => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicy",
  metadata: { name: "m" },
  spec: {
    reinvocationPolicy: "Never",
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    variables: [{ name: "names", expression: "object.spec.containers.map(c, c.name)" }],
    mutations: expressions.map((expression) =>
      expression.startsWith("[")
        ? { patchType: "JSONPatch", jsonPatch: { expression } }
        : { patchType: "ApplyConfiguration", applyConfiguration: { expression } },
    ),
  },
});
const BINDING: MutatingAdmissionPolicyBinding = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicyBinding",
  metadata: { name: "b" },
  spec: { policyName: "m" },
};
const metadata = { labels: { app: "web" }, annotations: { x: "y" } };
const spec = { containers: [{ name: "web", image: "web" }], restartPolicy: "Never", enableServiceLinks: true };
const OBJECTS = {
  pods: { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: "a" }, spec },
  deployments: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a" },
    spec: { selector: { matchLabels: metadata.labels }, template: { metadata, spec } },
  },
  cronjobs: {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "a" },
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { metadata, spec } } } },
  },
};

async function mutated(
  resource: keyof typeof OBJECTS,
  policies: Parameters<typeof createMutatingPolicySet>[0],
): Promise<object> {
  const given = OBJECTS[resource];
  const [group, version] = given.apiVersion.includes("/") ? given.apiVersion.split("/") : ["", given.apiVersion];
  const kind = { group: group!, version: version!, kind: given.kind };
  const object = completeBuiltin(given as never, kind, "strict") as never;
  const hosts = {
    mergeType: builtinMergeTypeOf,
    complete: (item: never, of: typeof kind, reading: Reading) => completeBuiltin(item, of, reading) ?? item,
  };
  const request = {
    kind,
    resource: { group: group!, version: version!, resource },
    operation: "CREATE",
    object,
    name: "a",
  } as const;
  const report = await mutateEntries(request, createMutatingPolicySet(policies).entries(), hosts as never);
  expect(report.failures).toEqual([]);
  expect(report.changed).toBe(true);
  return report.object as object;
}

const podOf = ({ metadata: { labels, annotations }, spec: inner }: typeof OBJECTS.pods): object => ({
  labels,
  annotations,
  spec: inner,
});

// biome-ignore format: one mutation per line
const SAME: readonly string[] = [
  `Object{metadata: Object.metadata{labels: {"team": "a"}}}`,
  `Object{spec: Object.spec{containers: variables.names.map(n, Object.spec.containers{name: n, imagePullPolicy: "Never"})}}`,
  `has(object.spec.priority) ? Object{} : Object{spec: Object.spec{?priority: optional.of(3)}, metadata: Object.metadata{annotations: {"a": object.metadata.labels["app"]}}}`,
  `[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: variables.names[0]}]`,
  `[JSONPatch{op: "copy", from: "/metadata/labels/app", path: "/metadata/annotations/app"}, JSONPatch{op: "replace", path: "/spec/containers/0/image", value: "x:1"}]`,
  `object.spec.containers.map(c, JSONPatch{op: "add", path: "/spec/containers/0/env", value: [{"name": "NAME", "value": string(c.name)}]})`,
];

test.each(SAME)("%s", async (expression) => {
  const policy = policyOf(expression.startsWith("object.") ? `[${expression}][0]` : expression);
  const { derived, skipped } = deriveWorkloadPolicies(policy, {
    bindings: [BINDING],
    kinds: ["Deployment", "CronJob"],
  });
  expect(skipped).toEqual([]);
  const pod = podOf((await mutated("pods", [policy, BINDING])) as typeof OBJECTS.pods);
  const all = derived.flatMap((derivedPolicy) => [derivedPolicy.policy, ...derivedPolicy.bindings]);
  const deployment = (await mutated("deployments", all)) as typeof OBJECTS.deployments;
  const cronjob = (await mutated("cronjobs", all)) as typeof OBJECTS.cronjobs;
  expect(podOf({ ...OBJECTS.pods, ...deployment.spec.template } as never)).toEqual(pod);
  expect(podOf({ ...OBJECTS.pods, ...cronjob.spec.jobTemplate.spec.template } as never)).toEqual(pod);
});

describe("a pod that cannot be tracked is not derived", () => {
  // biome-ignore format: one mutation per line
  const cases: [string, string][] = [
    [`Object{metadata: Object.metadata{name: "x"}}`,                                   "no_counterpart"],
    [`Object{status: Object.status{phase: "x"}}`,                                      "no_counterpart"],
    [`[JSONPatch{op: "remove", path: "/metadata/ownerReferences"}]`,                   "computed_field"],
    [`[JSONPatch{op: "remove", path: object.metadata.labels["path"]}]`,                "computed_field"],
  ];
  test.each(cases)("%s: %s", (expression, code) => {
    const { derived, skipped } = deriveWorkloadPolicies(policyOf(expression), { kinds: ["Deployment"] });
    expect(derived).toEqual([]);
    expect(skipped.map((item) => item.code)).toContain(code);
  });
});
