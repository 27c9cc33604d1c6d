// Documents of any shape: problems are reported, and nothing throws.

import { expect, test } from "vitest";
import { Random } from "../generate/random.ts";
import { foreignTool, importSuite } from "./detect.ts";
import { documents } from "./import.testing.ts";
import type { DocumentLoader } from "./imported.ts";
import { runImported } from "./run-imported.ts";

const POD =
  "{ apiVersion: v1, kind: Pod, metadata: { name: a, namespace: b, labels: { c: d } }, spec: { containers: [{ name: a, image: a }] } }";
const VAP = `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: { name: p }, spec: { paramKind: { apiVersion: a.b/v1, kind: C },
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }] }, validations: [{ expression: "true" }] } }`;
const FILES: Readonly<Record<string, string>> = {
  "kyverno-test.yaml": `{ apiVersion: cli.kyverno.io/v1alpha1, kind: Test, metadata: { name: t }, policies: [c.yaml, v.yaml, vap.yaml], resources: [pod.yaml], variables: values.yaml, userinfo: user.yaml,
    results: [{ policy: c, rule: r, kind: Pod, resources: [a], result: pass }, { policy: v, kind: Pod, resources: [b/a], result: fail, operation: UPDATE }, { policy: p, resources: [a], result: skip }] }`,
  "c.yaml": `{ apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: { name: c, annotations: { x: y } }, spec: { validationFailureAction: Audit, rules: [{ name: r,
    match: { any: [{ resources: { kinds: [Pod], names: [a*], namespaces: [b], operations: [CREATE], annotations: { q: r }, selector: { matchLabels: { c: d } }, namespaceSelector: { matchExpressions: [{ key: k, operator: In, values: [v] }] } }, subjects: [{ kind: User, name: u }] }] },
    exclude: { all: [{ resources: { names: [z] } }] }, celPreconditions: [{ name: n, expression: "true" }],
    validate: { message: m, cel: { variables: [{ name: w, expression: "1" }], expressions: [{ expression: variables.w == 1 }], paramKind: { apiVersion: v1, kind: ConfigMap }, paramRef: { name: x } } } }] } }`,
  "v.yaml": `{ apiVersion: policies.kyverno.io/v1, kind: NamespacedValidatingPolicy, metadata: { name: v, namespace: b }, spec: { validationActions: [Deny], matchConstraints: { namespaceSelector: { matchExpressions: [] }, resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }] },
    matchConditions: [{ name: q, expression: "true" }], validations: [{ expression: "true", message: m }], autogen: { podControllers: { controllers: [jobs] } } } }`,
  "vap.yaml": VAP,
  "values.yaml":
    "{ globalValues: { request.operation: CREATE }, policies: [{ name: c, resources: [{ name: a, values: { request.operation: DELETE } }] }], namespaceSelector: [{ name: b, labels: { k: v } }], namespaces: [{ metadata: { name: b } }] }",
  "user.yaml": "{ userInfo: { username: u, groups: [g] } }",
  "pod.yaml": POD,
  "suite.yaml":
    "{ apiVersion: test.gatekeeper.sh/v1alpha1, kind: Suite, tests: [{ name: t, template: template.yaml, constraint: constraint.yaml, cases: [{ name: c, object: pod.yaml, inventory: [pod.yaml], assertions: [{ violations: 1, message: m }] }] }] }",
  "template.yaml": `{ apiVersion: templates.gatekeeper.sh/v1, kind: ConstraintTemplate, metadata: { name: t }, spec: { crd: { spec: { names: { kind: T } } }, targets: [{ target: x, operations: [CREATE], code: [{ engine: K8sNativeValidation, source: { failurePolicy: Fail, variables: [{ name: w, expression: "1" }], matchCondition: [{ name: q, expression: "true" }], validations: [{ expression: "false", message: m }] } }] }] } }`,
  "constraint.yaml":
    "{ apiVersion: constraints.gatekeeper.sh/v1beta1, kind: T, metadata: { name: c }, spec: { enforcementAction: scoped, scopedEnforcementActions: [{ action: deny, enforcementPoints: [{ name: '*' }] }], match: { kinds: [{ apiGroups: [''], kinds: [Pod] }], scope: Namespaced, namespaces: [b*], labelSelector: { matchLabels: { c: d } } }, parameters: {} } }",
  "kaptest.yaml":
    "{ validatingAdmissionPolicies: [vap.yaml], resources: [pod.yaml, param.yaml], testSuites: [{ policy: p, tests: [{ object: { kind: Pod, name: a }, oldObject: { kind: Pod, name: a }, param: { name: x }, userInfo: { name: u, groups: [g], extra: { a: [b] } }, expect: admit }] }] }",
  "param.yaml": "{ apiVersion: a.b/v1, kind: C, metadata: { name: x } }",
  "t.yaml": `{ kind: ValidatingAdmissionPolicyTest, metadata: { name: t }, spec: { source: { type: local, files: [vap.yaml, param.yaml] }, testCases: [{ name: a, operation: UPDATE, object: ${POD}, expected: { allowed: false, message: m, reason: r } }] } }`,
  "x/y/tests.json":
    '[{ "name": "n", "template": "pod.yaml", "expected": "pass", "field_change_list": ["spec.x.[0]=1"] }]',
  "x/y/policy.yaml": VAP,
  "test-resources/pod.yaml": POD,
  "test-resources/policy-binding.yaml":
    "{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: b }, spec: { validationActions: [Deny], paramRef: { parameterNotFoundAction: Deny } } }",
  "test-resources/default-control-configuration.yaml": "{ apiVersion: a.b/v1, kind: C, metadata: { name: x } }",
};
const SUITES = ["kyverno-test.yaml", "suite.yaml", "kaptest.yaml", "t.yaml", "x/y/tests.json"];

const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  true,
  "",
  "x",
  "*",
  "{{ x }}",
  [],
  [null],
  {},
  { constructor: 1 },
  [[]],
  { a: { b: [] } },
];

/** One place of the value, anywhere in it, exchanged for something odd. */
function oddly(value: unknown, random: Random): unknown {
  const odd = (): unknown => ODD[random.below(ODD.length)];
  if (typeof value !== "object" || value === null || random.oneIn(8)) return odd();
  const entries = Object.entries(value);
  if (entries.length === 0) return odd();
  const chosen = random.below(entries.length);
  const changed = entries.map(([key, item], i): [string, unknown] => [key, i === chosen ? oddly(item, random) : item]);
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

test.each(SUITES)("%s", async (name) => {
  const random = new Random(7);
  const known = new Map(Object.entries(FILES).map(([file, text]) => [file, documents(text, file)]));
  let imported = 0;
  for (let i = 0; i < 120; i++) {
    const names = [...known.keys()];
    const target = i === 0 ? undefined : names[random.below(names.length)]!;
    const given = new Map(known);
    if (target !== undefined)
      given.set(
        target,
        known.get(target)!.map((suiteSource) => ({ ...suiteSource, value: oddly(suiteSource.value, random) })),
      );
    const load: DocumentLoader["load"] = async (path, from) => {
      const found = given.get(new URL(path, `file:///${from}`).pathname.slice(1));
      return found
        ? { documents: found, issues: [] }
        : { documents: [], issues: [{ message: `${path}: no such file` }] };
    };
    const [source] = given.get(name)!;
    if (foreignTool(source!) === undefined) continue;
    const read = await importSuite(source!, { load });
    if (read.imported === undefined) expect(read.issues.length).toBeGreaterThan(0);
    else {
      imported++;
      await runImported(read.imported);
    }
  }
  expect(imported).toBeGreaterThan(40);
});
