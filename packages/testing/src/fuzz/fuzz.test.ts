// Known traps are found with the smallest object, careful policies give none, and a seed repeats a run.

import { describe, expect, test } from "vitest";
import { type FuzzInput, type FuzzOptions, fuzzPolicies } from "./index.ts";
import { policyFor, widgets } from "./policies.testing.ts";

const meta = { name: "a", namespace: "default" };
const container = { name: "a", image: "a" };
const pod = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { ...meta, ...metadata },
  spec: { containers: [container], ...spec },
});
const app = { app: "a" };
const deployment = (spec: object, template: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: meta,
  spec: {
    selector: { matchLabels: app },
    template: { metadata: { labels: app }, spec: { containers: [container], ...template } },
    ...spec,
  },
});
const widget = (spec?: object): object => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: meta,
  ...(spec && { spec }),
});

async function found(input: FuzzInput, options: FuzzOptions = {}): Promise<object[]> {
  const { findings } = await fuzzPolicies(input, options);
  return findings.map(({ message, code, position, expression, case: { operation, object, oldObject, params } }) => ({
    code,
    message,
    column: position?.column,
    at: `${expression.kind} ${expression.name ?? expression.index}`,
    operation,
    ...(object && { object }),
    ...(oldObject && { oldObject }),
    ...(params && { params }),
  }));
}

describe("traps of policies", () => {
  // biome-ignore format: one trap per entry
  const traps: { name: string; input: FuzzInput; options?: FuzzOptions; want: object[] }[] = [
    {
      name: "an absent label",
      input: { policies: [policyFor("pods", ["object.metadata.labels['x'] == 'y'"])] },
      want: [
        { code: "no_such_key", message: "no such key: labels", column: 16, at: "validation 0", operation: "CREATE", object: pod() },
        { code: "no_such_key", message: "no such key: x", column: 23, at: "validation 0", operation: "CREATE", object: pod({}, { labels: { k: "" } }) },
      ],
    },
    {
      name: "a securityContext that a server fills in, empty",
      input: { policies: [policyFor("deployments", ["object.spec.template.spec.securityContext.runAsNonRoot == true"])] },
      want: [{ code: "no_such_key", message: "no such key: runAsNonRoot", column: 42, at: "validation 0", operation: "CREATE", object: deployment({}, { securityContext: {} }) }],
    },
    {
      name: "a securityContext that is missing from a manifest",
      input: { policies: [policyFor("deployments", ["object.spec.template.spec.securityContext.runAsNonRoot == true"])] },
      options: { serverDefaults: false },
      want: [
        { code: "no_such_key", message: "no such key: securityContext", column: 26, at: "validation 0", operation: "CREATE", object: deployment({}) },
        { code: "no_such_key", message: "no such key: runAsNonRoot", column: 42, at: "validation 0", operation: "CREATE", object: deployment({}, { securityContext: {} }) },
      ],
    },
    {
      name: "the object of a DELETE",
      input: { policies: [policyFor("pods", ["object.metadata.name != 'x'"], {}, ["CREATE", "DELETE"])] },
      want: [{ code: "no_such_key", message: "no such key: metadata", column: 7, at: "validation 0", operation: "DELETE", oldObject: pod() }],
    },
    {
      name: "division by a param that is 0",
      input: {
        policies: [policyFor("deployments", ["object.spec.replicas / params.spec.most < 3"], { paramKind: { apiVersion: "example.com/v1", kind: "Widget" } })],
        definitions: [widgets({ type: "object", required: ["most"], properties: { most: { type: "integer" } } }, { required: ["spec"] })],
      },
      want: [{ code: "division_by_zero", message: "division by zero", column: 22, at: "validation 0", operation: "CREATE", object: deployment({ replicas: 0 }), params: { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, spec: { most: 0 } } }],
    },
    {
      name: "an int that overflows",
      input: { policies: [policyFor("widgets", ["object.spec.size + 1 > 0"])], definitions: [widgets({ type: "object", required: ["size"], properties: { size: { type: "integer", format: "int64" } } }, { required: ["spec"] })] },
      want: [{ code: "overflow", message: "integer overflow", column: 18, at: "validation 0", operation: "CREATE", object: widget({ size: 9223372036854775807n }) }],
    },
    {
      name: "an index beyond the end of a list",
      input: { policies: [policyFor("pods", ["object.spec.containers[1].image != 'x'"])] },
      want: [{ code: "index_out_of_bounds", message: "index out of bounds: 1", column: 23, at: "validation 0", operation: "CREATE", object: pod() }],
    },
    {
      name: "an invalid quantity, behind a guard with a literal",
      input: { policies: [policyFor("pods", ["!has(object.metadata.annotations) || !('limit' in object.metadata.annotations) || object.metadata.annotations['mode'] != 'on' || quantity(object.metadata.annotations['limit']).isLessThan(quantity('1'))"])] },
      want: [
        { code: "no_such_key", message: "no such key: mode", column: 110, at: "validation 0", operation: "CREATE", object: pod({}, { annotations: { limit: "" } }) },
        { code: "invalid_argument", message: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'", column: 138, at: "validation 0", operation: "CREATE", object: pod({}, { annotations: { limit: "", mode: "on" } }) },
      ],
    },
    {
      name: "a variable, with the place of the failure",
      input: { policies: [policyFor("pods", ["variables.team == 'a'"], { variables: [{ name: "labels", expression: "object.metadata.labels" }, { name: "team", expression: "variables.labels.team" }] })] },
      want: [
        { code: "no_such_key", message: "no such key: labels", column: 16, at: "variable labels", operation: "CREATE", object: pod() },
        { code: "no_such_key", message: "no such key: team", column: 17, at: "variable team", operation: "CREATE", object: pod({}, { labels: { k: "" } }) },
      ],
    },
    {
      name: "a match condition, and a message that is shown",
      input: { policies: [policyFor("pods", [], { matchConditions: [{ name: "c", expression: "object.spec.hostNetwork == true" }], validations: [{ expression: "!object.spec.hostNetwork", messageExpression: "'in ' + object.metadata.labels.env" }] })] },
      want: [
        { code: "no_such_key", message: "no such key: hostNetwork", column: 12, at: "matchCondition 0", operation: "CREATE", object: pod() },
        { code: "no_such_key", message: "no such key: labels", column: 24, at: "messageExpression 0", operation: "CREATE", object: pod({ hostNetwork: true }) },
        { code: "no_such_key", message: "no such key: env", column: 31, at: "messageExpression 0", operation: "CREATE", object: pod({ hostNetwork: true }, { labels: { k: "" } }) },
      ],
    },
    {
      name: "one container of several",
      input: { policies: [policyFor("pods", ["object.spec.containers.all(c, has(c.securityContext)) ? object.spec.containers.all(c, c.securityContext.privileged == false) : false"])] },
      want: [{ code: "no_such_key", message: "no such key: privileged", column: 104, at: "validation 0", operation: "CREATE", object: pod({ containers: [{ ...container, securityContext: {} }] }) }],
    },
    {
      name: "the old object of an update lacks what the new one has",
      input: { policies: [policyFor("widgets", ["!has(object.spec.size) || object.spec.size >= oldObject.spec.size"], {}, ["UPDATE"])], definitions: [widgets({ type: "object", properties: { size: { type: "integer" } } }, { required: ["spec"] })] },
      want: [{ code: "no_such_key", message: "no such key: size", column: 61, at: "validation 0", operation: "UPDATE", object: widget({ size: 0 }), oldObject: widget({}) }],
    },
  ];
  test.each(traps)("$name", async ({ input, options, want }) => expect(await found(input, options)).toEqual(want));

  test("a quadratic expression over a list without a limit", async () => {
    const policy = policyFor("pods", [
      "object.spec.containers.all(c, object.spec.containers.exists_one(d, d.name == c.name))",
    ]);
    const { findings } = await fuzzPolicies({ policies: [policy] }, { runs: 50 });
    expect(findings.map(({ problem, code }) => [problem, code])).toEqual([["limit", "cost_limit"]]);
    const { object } = findings[0]!.case;
    const containers = (object as { spec: { containers: unknown[] } }).spec.containers;
    expect(containers.length).toBeGreaterThan(100);
    expect(containers.length).toBeLessThan(1000);
  });
});

describe("careful policies", () => {
  // biome-ignore format: one policy per line
  const careful: [string, FuzzInput][] = [
    ["labels", { policies: [policyFor("pods", ["has(object.metadata.labels) && 'x' in object.metadata.labels && object.metadata.labels['x'] == 'y'"])] }],
    ["defaults of a server", { policies: [policyFor("deployments", ["object.spec.replicas <= 5 && object.spec.strategy.type == 'Recreate'"])] }],
    ["optionals", { policies: [policyFor("pods", ["object.spec.?securityContext.?runAsNonRoot.orValue(false) == true"])] }],
    ["loops", { policies: [policyFor("pods", ["object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || quantity(c.resources.limits['cpu']).isLessThan(quantity('8')))"])] }],
    ["deletion", { policies: [policyFor("pods", ["request.operation == 'DELETE' ? oldObject.metadata.name != 'x' : object.metadata.name != 'x'"], {}, ["CREATE", "UPDATE", "DELETE"])] }],
    ["a namespace", { policies: [policyFor("pods", ["namespaceObject.metadata.labels['kubernetes.io/metadata.name'] != 'x'"])] }],
    ["the user", { policies: [policyFor("pods", ["request.userInfo.groups.exists(g, g == 'x') || request.userInfo.username != 'y'"])] }],
    ["an object selector", { policies: [policyFor("pods", ["object.metadata.labels.team == 'a'"], { matchConstraints: { objectSelector: { matchExpressions: [{ key: "team", operator: "Exists" }] }, resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }] } })] }],
    ["what a schema requires", { policies: [policyFor("widgets", ["object.spec.size / object.spec.parts > 0"])], definitions: [widgets({ type: "object", required: ["size", "parts"], properties: { size: { type: "integer", maximum: 9, minimum: 0 }, parts: { type: "integer", minimum: 1 } } }, { required: ["spec"] })] }],
    ["what a rule requires", { policies: [policyFor("widgets", ["object.spec.a == object.spec.b"])], definitions: [widgets({ type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, "x-kubernetes-validations": [{ rule: "has(self.a) && has(self.b)" }] }, { required: ["spec"] })] }],
    ["what a schema sets by default", { policies: [policyFor("widgets", ["object.spec.mode == 'a'"])], definitions: [widgets({ type: "object", default: {}, properties: { mode: { type: "string", default: "a" } } })] }],
  ];
  test.each(careful)("%s", async (_, input) => {
    const report = await fuzzPolicies(input);
    expect(report.findings).toEqual([]);
    expect(report.invalid).toBeLessThan(report.tried);
    expect(report.notes).toEqual([]);
  });
});

describe("rules of definitions", () => {
  const rule = (text: string, more: object = {}): object => ({ "x-kubernetes-validations": [{ rule: text, ...more }] });
  // biome-ignore format: one definition per entry
  const traps: { name: string; spec: object; want: object[] }[] = [
    {
      name: "an optional field",
      spec: { type: "object", properties: { min: { type: "integer" }, max: { type: "integer" } }, ...rule("self.min <= self.max") },
      want: [
        { code: "no_such_key", message: "no such key: min", column: 5, at: "rule 0", operation: "CREATE", object: widget({}) },
        { code: "no_such_key", message: "no such key: max", column: 17, at: "rule 0", operation: "CREATE", object: widget({ min: 0 }) },
      ],
    },
    {
      name: "a field of the old object",
      spec: { type: "object", properties: { id: { type: "string", maxLength: 10 } }, ...rule("!has(self.id) || self.id == oldSelf.id") },
      want: [{ code: "no_such_key", message: "no such key: id", column: 36, at: "rule 0", operation: "UPDATE", object: widget({ id: "" }), oldObject: widget({}) }],
    },
    {
      name: "a key of a map, in a rule of elements",
      spec: { type: "object", properties: { items: { type: "array", maxItems: 3, items: { type: "object", properties: { tags: { type: "object", maxProperties: 3, additionalProperties: { type: "string", maxLength: 9 } } }, ...rule("!has(self.tags) || self.tags['x'] == 'y'") } } } },
      want: [{ code: "no_such_key", message: "no such key: x", column: 29, at: "rule 0", operation: "CREATE", object: widget({ items: [{ tags: {} }] }) }],
    },
    {
      name: "nothing",
      spec: { type: "object", required: ["a"], properties: { a: { type: "string", enum: ["x", "y"] }, b: { type: "string", pattern: "^[a-z]{2,5}$" } }, ...rule("self.a == 'x' || has(self.b) && self.b.startsWith('z')") },
      want: [],
    },
  ];
  test.each(traps)("$name", async ({ spec, want }) =>
    expect(await found({ definitions: [widgets(spec)] })).toEqual(want),
  );

  test("a rule whose cost the sizes of its schema allow to grow too far", async () => {
    const spec = {
      type: "object",
      properties: { names: { type: "array", maxItems: 2000, items: { type: "string", maxLength: 5 } } },
      ...rule("!has(self.names) || self.names.all(a, self.names.exists_one(b, a == b))"),
    };
    const { findings } = await fuzzPolicies({ definitions: [widgets(spec)] }, { runs: 50 });
    expect(findings.map(({ problem, expression }) => [problem, expression.schemaPath])).toEqual([
      ["limit", ["properties", "spec"]],
    ]);
  });
});

describe("a run", () => {
  const policies = [
    policyFor(
      "pods",
      [
        "object.metadata.labels.x == object.spec.containers[2].env[0].value",
        "object.spec.volumes.all(v, v.hostPath.path != '/')",
      ],
      {},
      ["*"],
    ),
  ];

  test("is repeated by its seed", async () => {
    const once = await fuzzPolicies({ policies }, { seed: 7, runs: 60 });
    const again = await fuzzPolicies({ policies }, { seed: 7, runs: 60 });
    expect(again).toEqual(once);
    expect(once.findings.length).toBeGreaterThan(5);
  });

  test("reports progress and stops on its signal", async () => {
    const signal = { aborted: false };
    const told: string[] = [];
    const report = await fuzzPolicies(
      { policies },
      {
        signal,
        onProgress: ({ subject }) => {
          told.push(subject);
          if (told.length === 2) signal.aborted = true;
        },
      },
    );
    expect(report.aborted).toBe(true);
    expect(report.tried).toBe(50);
    expect(told).toEqual(["p Pod", "p Pod"]);
  });

  test("reports unreadable files", async () => {
    const unknown = policyFor("gadgets", ["object.spec.x == 1", "object.spec +"]);
    const wild = policyFor("*", ["true"]);
    const { notes } = await fuzzPolicies(
      { policies: [unknown, wild], definitions: [{ kind: "CustomResourceDefinition", spec: 1 } as never] },
      { runs: 1 },
    );
    expect(notes.map(({ code }) => code)).toEqual([
      "not_a_definition",
      "does_not_compile",
      "unknown_kind",
      "kinds_left_out",
    ]);
  });
});

test("mutating policies: every mutation is covered, and nothing on DELETE", async () => {
  const mutating = (expression: string): FuzzInput => ({
    policies: [
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "MutatingAdmissionPolicy",
        metadata: { name: "m" },
        spec: {
          failurePolicy: "Fail",
          reinvocationPolicy: "Never",
          matchConstraints: {
            resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
          },
          variables: [{ name: "labels", expression: "object.metadata.?labels.orValue({})" }],
          mutations: [
            { patchType: "JSONPatch", jsonPatch: { expression: "has(object.spec) ? [] : [JSONPatch{}]" } },
            { patchType: "ApplyConfiguration", applyConfiguration: { expression } },
          ],
        },
      },
    ],
  });
  const labels = (value: string): string => `Object{metadata: Object.metadata{annotations: {"team": ${value}}}}`;
  expect(await found(mutating(labels('variables.labels[?"team"].orValue("")')))).toEqual([]);
  expect(await found(mutating(labels('variables.labels["team"]')))).toMatchObject([
    { message: "no such key: team", at: "applyConfiguration 1" },
  ]);
});
