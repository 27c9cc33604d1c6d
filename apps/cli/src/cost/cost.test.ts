import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";
import { shareText } from "../output/numbers.ts";

interface Row {
  readonly what: string;
  readonly resource: { readonly name: string };
  readonly place: { readonly line: number; readonly column: number };
  readonly sharePercent?: number;
  readonly estimate?: {
    readonly min?: number;
    readonly max: number | null;
    readonly times: number;
    readonly limit?: number;
  };
  readonly measured?: {
    readonly max: number;
    readonly median: number;
    readonly evaluations: number;
    readonly worst: { readonly name: string };
    readonly limit: number;
  };
  readonly refusedBy: Readonly<Record<string, string>>;
  readonly tooCostly: boolean;
  readonly problem?: string;
  readonly help?: string;
}

async function cost(
  yaml: string,
  ...flags: string[]
): Promise<{ readonly code: number; readonly rows: readonly Row[] }> {
  const { code, stdout, stderr } = await runLine(["cost", "-f", "a.yaml", "-o", "json", ...flags], {
    files: { "a.yaml": yaml },
  });
  expect(stderr).toBe("");
  return { code, rows: (JSON.parse(stdout) as { expressions: Row[] }).expressions };
}

const find = (rows: readonly Row[], what: string): Row => {
  const row = rows.find((item) => item.what === what);
  if (row === undefined) throw new Error(`no row "${what}" among ${rows.map((item) => item.what).join(", ")}`);
  return row;
};

const definition = (list: string, rule: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                list: ${list}
              x-kubernetes-validations:
                - rule: ${rule}
`;

describe("definitions", () => {
  test("an estimate with the number of places, the sum, and the measured cost", async () => {
    const list = `{type: array, maxItems: 10, items: {type: string, maxLength: 20, x-kubernetes-validations: [{rule: self.startsWith('a'), messageExpression: "'x' + self"}]}}`;
    const objects = ["[a, b]", "[a]"].map(
      (items, i) =>
        `---\n{apiVersion: example.com/v1, kind: Widget, metadata: {name: w${i}}, spec: {list: ${items}}}\n`,
    );
    const { code, rows } = await cost(definition(list, "self.list.all(x, x != 'y')") + objects.join(""));
    expect(code).toBe(0);
    expect(find(rows, "v1 spec: rule 0")).toMatchObject({
      place: { line: 21, column: 25 },
      estimate: { max: 53, times: 1, limit: 10_000_000 },
      measured: { max: 13, median: 10.5, evaluations: 2, worst: { name: "w0" }, limit: 1_000_000 },
    });
    expect(find(rows, "v1 spec.list[*]: rule 0")).toMatchObject({
      estimate: { max: 2, times: 10 },
      measured: { max: 2, median: 2, evaluations: 3 },
    });
    expect(find(rows, "v1 spec.list[*]: rule 0 messageExpression")).toMatchObject({ estimate: { max: 10, times: 1 } });
    expect(find(rows, "all rules of v1")).toMatchObject({
      estimate: { max: 83, times: 1, limit: 100_000_000 },
      measured: { max: 19, evaluations: 2, limit: 10_000_000 },
    });
  });

  test("what the API server refuses, the field to blame and the bound that fits", async () => {
    const { code, rows } = await cost(
      definition("{type: array, items: {type: string}}", "self.list.all(x, self.list.exists(y, y == x))"),
    );
    expect(code).toBe(1);
    expect(find(rows, "v1 spec: rule 0")).toMatchObject({
      tooCostly: true,
      problem: expect.stringMatching(/^estimated rule cost exceeds budget by factor of more than 100x/),
      help: "set maxItems: 200 on spec.list, maxLength: 512 on spec.list[*]",
    });
    const fits = definition(
      "{type: array, maxItems: 200, items: {type: string, maxLength: 512}}",
      "self.list.all(x, self.list.exists(y, y == x))",
    );
    expect((await cost(fits)).code).toBe(0);
    expect((await cost(fits.replace("maxItems: 200", "maxItems: 500"))).code).toBe(1);
  });

  test("thresholds", async () => {
    const fits = definition(
      "{type: array, maxItems: 5, items: {type: string}}",
      "self.list.all(x, self.list.exists(y, y == x))",
    );
    const share = find((await cost(fits)).rows, "v1 spec: rule 0").sharePercent!;
    expect(share).toBeGreaterThan(60);
    expect((await cost(fits, "--over", String(Math.floor(share)))).code).toBe(1);
    expect((await cost(fits, "--over", String(Math.ceil(share)))).code).toBe(0);
  });

  test("minors that refuse an expression say so", async () => {
    const { code, rows } = await cost(
      definition("{type: array, maxItems: 5, items: {type: string, maxLength: 5}}", "self.list.sort().size() > 0"),
      "--kube-version",
      "1.33..1.36",
    );
    expect(code).toBe(0);
    const refusal = "does not compile: undeclared reference to 'sort' (in container '')";
    expect(find(rows, "v1 spec: rule 0").refusedBy).toEqual({ "1.33": refusal, "1.34": refusal });
  });
});

const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  matchConditions: [{name: x, expression: "object.metadata.name != 'x'"}]
  variables: [{name: keys, expression: "object.data.map(k, k)"}]
  validations: [{expression: "${expression}", messageExpression: "'found ' + variables.keys.join()"}]
  auditAnnotations: [{key: k, valueExpression: "'x' + object.metadata.name"}]
`;
const configMap = (name: string, keys: number): string =>
  `---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {${Array.from({ length: keys }, (_, i) => `k${i}: v`).join(", ")}}}\n`;

describe("policies", () => {
  test("are measured without a binding", async () => {
    const { code, rows } = await cost(
      policy("variables.keys.all(k, k != 'x')") + configMap("a", 1) + configMap("b", 3),
    );
    expect(code).toBe(0);
    expect(
      rows
        .filter(({ measured }) => measured !== undefined)
        .map(({ what }) => what)
        .sort(),
    ).toEqual([
      "all audit annotations",
      "all match conditions",
      "all validations and messages",
      "auditAnnotations[0].valueExpression",
      "matchConditions[0].expression",
      "validations[0].expression",
      "validations[0].messageExpression",
      "variables[0].expression",
    ]);
    const validation = find(rows, "validations[0].expression");
    expect(validation).toMatchObject({ measured: { evaluations: 2, worst: { name: "b" }, limit: 1_000_000 } });
    expect(validation.sharePercent).toBeCloseTo(validation.measured!.max / 10_000, 5);
    expect(find(rows, "all match conditions").measured?.limit).toBe(2_500_000);
  });

  test("an estimate by the schema of the kind, which fails nothing", async () => {
    const { code, rows } = await cost(policy("object.data.all(k, k != 'x')"));
    expect(code).toBe(0);
    const { estimate, sharePercent } = find(rows, "validations[0].expression");
    expect(estimate?.limit).toBeUndefined();
    expect(estimate?.min).toBe(3);
    expect(estimate?.max).toBeGreaterThan(1_000_000);
    expect(sharePercent).toBeUndefined();
  });

  test("an evaluation beyond its limit fails", async () => {
    const keys = "object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != '')))";
    const { code, rows } = await cost(policy(keys) + configMap("large", 100));
    expect(code).toBe(1);
    expect(find(rows, "validations[0].expression").problem).toMatch(/% of the limit$/);
  });

  test("one that does not compile", async () => {
    const { code, rows } = await cost(policy("objct.data == 1"));
    expect(code).toBe(1);
    expect(find(rows, "validations[0].expression").problem).toBe(
      "does not compile: undeclared reference to 'objct' (in container '')",
    );
  });
});

test("mutating policies: every mutation has its own budget", async () => {
  const yaml = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  matchConditions: [{name: named, expression: "object.metadata.name != ''"}]
  variables: [{name: keys, expression: "object.data.map(k, k)"}]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'keys': variables.keys.join('-')}}}"}
    - patchType: JSONPatch
      jsonPatch: {expression: '[JSONPatch{op: "add", path: "/data/extra", value: "1"}]'}
---
`;
  const { code, rows } = await cost(yaml + configMap("a", 2));
  expect(code).toBe(0);
  expect(Object.fromEntries(rows.map(({ what, measured }) => [what, measured?.limit]))).toEqual({
    "matchConditions[0].expression": 1_000_000,
    "variables[0].expression": 1_000_000,
    "mutations[0].applyConfiguration.expression": 1_000_000,
    "mutations[1].jsonPatch.expression": 1_000_000,
    "all match conditions": 2_500_000,
    "mutation 0 and its variables": 10_000_000,
    "mutation 1 and its variables": 10_000_000,
  });
  expect(rows.filter(({ estimate }) => estimate !== undefined)).toHaveLength(4);
  const sum = find(rows, "mutation 0 and its variables").measured!.max;
  const own = find(rows, "mutations[0].applyConfiguration.expression").measured!.max;
  expect(sum).toBe(own + find(rows, "variables[0].expression").measured!.max);
});

test("webhook match conditions", async () => {
  const yaml = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
  - name: a.example.com
    sideEffects: None
    admissionReviewVersions: [v1]
    clientConfig: {url: "https://x/"}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
    matchConditions: [{name: a, expression: "object.metadata.name == 'x'"}, {name: b, expression: "request.name == 'y'"}]
`;
  const { rows } = await cost(yaml + configMap("a", 1));
  expect(find(rows, "webhooks[0].matchConditions[0].expression").measured).toMatchObject({ max: 4, limit: 1_000_000 });
  expect(find(rows, "all match conditions of a.example.com").measured).toMatchObject({ max: 7, limit: 2_500_000 });
});

/** For web.example.com; its key is nobody's. */
const CSR =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVU1Id0NBUUF3R2pFWU1CWUdBMVVFQXd3UGQyVmlMbVY0WVcxd2JHVXVZMjl0TUZrd0V3WUhLb1pJemowQwpBUVlJS29aSXpqMERBUWNEUWdBRVp6Q0szTjVVMS9BdVZJMlozMEdQVXp4UWZGTEMyY0QxdlRHdjE1S0ZkSUg1CnBWcXp5MGg3VVI4N1RhZlRVUDRKQUxTdWpVSVNXNGRqZEdXakd0VGVFS0FBTUFvR0NDcUdTTTQ5QkFNQ0EwZ0EKTUVVQ0lRRG50ZmxKVTRUVENsS0lLRzR0LzZ4dHVMQ2x6R1J2SHl2czRDa1Rhak1QeEFJZ1FtNy9KeDBSOG9ycgpDZlJVSFVKZXFEakJYa3R3S3dhaHFkTjdka2h0SWJZPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

test("certificate rules", async () => {
  const yaml = `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: {name: p}
spec:
  selector: {issuerRef: {}}
  allowed: {commonName: {validations: [{rule: self.endsWith('.example.com')}]}}
---
{apiVersion: cert-manager.io/v1, kind: CertificateRequest, metadata: {name: r, namespace: ns}, spec: {issuerRef: {name: i}, request: ${CSR}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r}, rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: r}, subjects: [{kind: User, name: ann}], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}}
`;
  const { rows } = await cost(yaml, "--as", "ann");
  expect(find(rows, "allowed.commonName.validations[0].rule")).toMatchObject({
    place: { line: 6, column: 47 },
    measured: { max: 3, evaluations: 1, worst: { name: "r" }, limit: 1_000_000 },
  });
});

// biome-ignore format: one case per line
test.each([[0, "0%"], [0.001, "<0.01%"], [0.054, "0.05%"], [1.26, "1.3%"], [99.6, "100%"], [512, "512%"], [1e9, ">100×"]] as const)(
  "%d is %s", (share, want) => expect(shareText(share)).toBe(want),
);

test("nothing to cost", async () => {
  const { code, stdout } = await runLine(["cost", "-f", "a.yaml"], {
    files: { "a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n" },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "nothing to cost: no expressions in the inputs\n" });
});
