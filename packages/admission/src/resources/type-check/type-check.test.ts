// Type checking beyond the scenarios: quantities, types inside themselves, limits, and expressions that only this checks.

import { gvkText, type KubeObject } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { createSchemas } from "../../memory/schemas.ts";
import type { ValidatingAdmissionPolicy } from "../../policy.ts";
import { policy } from "../policies.testing.ts";
import { checkedStatus, checkTypes } from "./type-check.ts";

const schemas = createSchemas();
const rule = (group: string, version: string, ...resources: string[]): Record<string, unknown> => ({
  apiGroups: [group],
  apiVersions: [version],
  operations: ["CREATE"],
  resources,
});
const on = (rules: Record<string, unknown>[], ...expressions: string[]): ValidatingAdmissionPolicy =>
  policy({
    matchConstraints: { resourceRules: rules },
    validations: expressions.map((expression) => ({ expression })),
  });
const PODS = [rule("", "v1", "pods")];

const warnings = async (checked: ValidatingAdmissionPolicy): Promise<string[]> =>
  (await checkTypes(checked, schemas)).expressionWarnings.map(({ warning }) => warning.split("\n", 1)[0]!);

// biome-ignore format: one case per line
const cases: readonly (readonly [expression: string, warning?: string])[] = [
  ["object.spec.containers.all(c, c.image.startsWith('a'))"],
  ["object.spec.containers.all(c, has(c.resources.limits))", "/v1, Kind=Pod: ERROR: <input>:1:34: undefined field 'limits'"],
  ["object.spec.containers.all(c, c.ports.all(p, p.containerPort < 10))"],
  ["object.metadata.creationTimestamp < timestamp('2026-01-01T00:00:00Z')"],
  ["object.metadata.labels['a'] == 'b' && object.metadata.annotations.size() == 0"],
  ["object.metadata.managedFields.all(f, f.fieldsV1.x == 1)", "/v1, Kind=Pod: ERROR: <input>:1:48: undefined field 'x'"],
  ["object.spec.hostNetwork == 'x'", "/v1, Kind=Pod: ERROR: <input>:1:25: found no matching overload for '_==_' applied to '(bool, string)'"],
  ["object.spec.containers[0].readinessProbe.httpGet.port == 'http' && object.spec.containers[0].readinessProbe.httpGet.port == 1"],
  ["object.spec == 'x'", "/v1, Kind=Pod: ERROR: <input>:1:13: found no matching overload for '_==_' applied to '(Pod.spec, string)'"],
  ["request.nothing == 1", "/v1, Kind=Pod: ERROR: <input>:1:8: undefined field 'nothing'"],
  ["params.x == 1", "/v1, Kind=Pod: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')"],
];

for (const [expression, warning] of cases) {
  test(expression, async () => {
    expect(await warnings(on(PODS, expression))).toEqual(warning === undefined ? [] : [warning]);
  });
}

test("a type inside itself ends there", async () => {
  const definitions = [rule("apiextensions.k8s.io", "v1", "customresourcedefinitions")];
  const props = "object.spec.versions[0].schema.openAPIV3Schema";
  expect(await warnings(on(definitions, `${props}.title == 'x'`))).toEqual([]);
  expect(await warnings(on(definitions, `${props}.properties['a'].title == 'x'`))).toEqual([
    expect.stringMatching(/undefined field 'title'$/),
  ]);
});

test("variables have their types, and a wrong one is dyn", async () => {
  const variables = [
    { name: "replicas", expression: "object.spec.replicas" },
    { name: "wrong", expression: "object.spec.nothing" },
  ];
  const checked = policy({
    matchConstraints: { resourceRules: [rule("apps", "v1", "deployments")] },
    variables,
    validations: [{ expression: "variables.replicas == 'x'" }, { expression: "variables.wrong == 'x'" }],
  });
  const { expressionWarnings, warnings: all } = await checkTypes(checked, schemas);
  expect(expressionWarnings.map(({ fieldRef }) => fieldRef)).toEqual(["spec.validations[0].expression"]);
  expect(all.map(({ path, beyond }) => [path.toString(), beyond])).toEqual([
    ["spec.variables[1].expression", true],
    ["spec.validations[0].expression", false],
  ]);
});

test("the type of the result does not matter", async () =>
  expect(await warnings(on(PODS, "object.spec.nodeName"))).toEqual([]));

describe("kinds", () => {
  const kinds = async (...rules: Record<string, unknown>[]) => {
    const checked = await checkTypes(on(rules, "true"), schemas);
    return { kinds: checked.kinds.map(gvkText), beyond: checked.kindsBeyond.map(gvkText) };
  };

  test("are sorted, each once", async () => {
    expect(
      await kinds(rule("apps", "v1", "deployments", "daemonsets"), rule("", "v1", "pods"), rule("", "v1", "pods")),
    ).toEqual({
      kinds: ["/v1, Kind=Pod", "apps/v1, Kind=DaemonSet", "apps/v1, Kind=Deployment"],
      beyond: [],
    });
  });

  test("an empty group is any group, and singular names do", async () => {
    expect((await kinds(rule("", "v1", "events"))).kinds).toEqual(["/v1, Kind=Event", "events.k8s.io/v1, Kind=Event"]);
    expect((await kinds(rule("apps", "v1", "deployment"))).kinds).toEqual(["apps/v1, Kind=Deployment"]);
  });

  test("wildcards and subresources are beyond", async () => {
    expect(await kinds(rule("apps", "*", "deployments"))).toEqual({ kinds: [], beyond: ["apps/v1, Kind=Deployment"] });
    expect(await kinds(rule("apps", "v1", "deployments", "deployments/scale"))).toEqual({
      kinds: ["apps/v1, Kind=Deployment"],
      beyond: ["autoscaling/v1, Kind=Scale"],
    });
    expect((await kinds(rule("batch", "v1", "*"))).beyond).toEqual(["batch/v1, Kind=CronJob", "batch/v1, Kind=Job"]);
  });

  test("ten of a rule, counted with those seen before", async () => {
    const ten = [
      "configmaps",
      "endpoints",
      "limitranges",
      "namespaces",
      "nodes",
      "persistentvolumes",
      "pods",
      "secrets",
      "services",
      "serviceaccounts",
    ];
    const { kinds: checked, beyond } = await kinds(
      rule("", "v1", ...ten, "resourcequotas"),
      rule("apps", "v1", "deployments"),
    );
    expect(checked).toHaveLength(10);
    expect(beyond).toContain("apps/v1, Kind=Deployment");
  });

  test("a kind without a schema is passed over", async () => {
    const source = { kinds: () => [{ group: "x", version: "v1", kind: "X" }], schema: () => undefined };
    expect(await checkTypes(on([rule("x", "v1", "xs")], "object.nothing == 1"), source)).toEqual({
      expressionWarnings: [],
      warnings: [],
      kinds: [],
      kindsBeyond: [],
    });
  });
});

test("hosts that fail are passed over", async () => {
  const fail = (): never => {
    throw new Error("down");
  };
  const source = { kinds: fail, schema: () => Promise.reject(new Error("down")), served: fail };
  expect((await checkTypes(on(PODS, "object.nothing == 1"), source)).warnings).toEqual([]);
  expect((await checkTypes(on(PODS, "object.nothing == 1"), { ...schemas, schema: fail })).kinds).toEqual([]);
});

test("warnings beyond the controller's can be left out", async () => {
  const wild = on([rule("apps", "*", "deployments")], "object.nothing == 1");
  expect((await checkTypes(wild, schemas)).warnings).toMatchObject([{ beyond: true, kind: { kind: "Deployment" } }]);
  expect((await checkTypes(wild, schemas)).expressionWarnings).toEqual([]);
  expect((await checkTypes(wild, schemas, { beyond: false })).warnings).toEqual([]);
});

test("custom resources have metadata, and params of the same kind a type of their own", async () => {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
            },
          },
        },
      ],
    },
  } as KubeObject;
  const checked = policy({
    paramKind: { apiVersion: "example.com/v1", kind: "Widget" },
    matchConstraints: { resourceRules: [rule("example.com", "v1", "widgets")] },
    validations: [
      { expression: "object.spec.size <= params.spec.size && object.metadata.labels.size() > 0" },
      { expression: "object.spec.size == params.spec.sizes" },
    ],
  });
  const { expressionWarnings } = await checkTypes(checked, createSchemas({ definitions: [definition] }));
  expect(expressionWarnings.map(({ warning }) => warning.split("\n", 1)[0])).toEqual([
    "example.com/v1, Kind=Widget: ERROR: <input>:1:32: undefined field 'sizes'",
  ]);
});

test("the status", async () => {
  const checked = { ...on(PODS, "true"), metadata: { name: "p", generation: 3 } };
  expect(checkedStatus(checked, await checkTypes(checked, schemas))).toEqual({
    observedGeneration: 3,
    typeChecking: {},
  });
  const wrong = { ...on(PODS, "object.x == 1"), metadata: { name: "p", generation: 4 } };
  expect(checkedStatus(wrong, await checkTypes(wrong, schemas)).typeChecking?.expressionWarnings).toEqual([
    {
      fieldRef: "spec.validations[0].expression",
      warning: "/v1, Kind=Pod: ERROR: <input>:1:7: undefined field 'x'\n | object.x == 1\n | ......^\n",
    },
  ]);
});
