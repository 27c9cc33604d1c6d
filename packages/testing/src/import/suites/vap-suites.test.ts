// Suites that are about ValidatingAdmissionPolicies: kaptest, kube-vap-test and the kubescape library.

import { describe, expect, test } from "vitest";
import { runFiles } from "../import.testing.ts";
import { changeField } from "./change-field.ts";

const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  paramKind: { apiVersion: example.com/v1, kind: Limits }
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }]
  matchConditions: [{ name: not-root, expression: "request.userInfo.username != 'root'" }]
  validations:
  - { expression: object.spec.replicas <= params.settings.max, message: too many }
  - { expression: "!has(object.spec.paused) || object.metadata.labels.a == 'b'", message: never }
`;
const LIMITS = "{ apiVersion: example.com/v1, kind: Limits, metadata: { name: limits }, settings: { max: 3 } }";
const web = (name: string, spec: string): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name}, namespace: shop }, spec: { ${spec}, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }] } } } }`;
const POOL = [
  web("few", "replicas: 2"),
  web("many", "replicas: 9"),
  web("odd", "replicas: 2, paused: true"),
  LIMITS,
].join("\n---\n");

describe("kaptest", () => {
  const run = (tests: string): Promise<string[]> =>
    runFiles({
      "p.test/kaptest.yaml": `validatingAdmissionPolicies: [../policy.yaml]\nresources: [pool.yaml]\ntestSuites:\n- policy: replicas\n  tests:\n${tests}`,
      "policy.yaml": POLICY,
      "p.test/pool.yaml": POOL,
    });
  const few = "object: { kind: Deployment, name: few }";
  const many = "object: { kind: Deployment, name: many, namespace: shop, group: apps, version: v1 }";

  test("the format since v0.2, with cases of mutating policies", async () => {
    const mutating = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: labels }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }]
  matchConditions: [{ name: few, expression: object.spec.replicas < 5 }]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'a': 'b'}}}" }
`;
    const few = (name: string): string => web(name, "replicas: 2");
    const labelled = few("labelled").replace("namespace: shop", "namespace: shop, labels: { a: b }");
    expect(
      await runFiles({
        "p.test/kaptest.yaml": `policies: [../policy.yaml, ../labels.yaml]
resources: [pool.yaml]
vapTestSuites:
- policy: replicas
  tests:
  - { object: { kind: Deployment, name: many }, param: { name: limits }, expect: deny }
mapTestSuites:
- policy: labels
  tests:
  - { object: { kind: Deployment, name: few }, expect: mutate, expectObject: { kind: Deployment, name: labelled } }
  - { object: { kind: Deployment, name: many }, expect: skip }
  - { object: { kind: Deployment, name: gone }, expect: mutate }
`,
        "policy.yaml": POLICY,
        "labels.yaml": mutating,
        "p.test/pool.yaml": `${POOL}\n---\n${labelled}`,
      }),
    ).toEqual([
      "pass replicas/Deployment/many with limits",
      "pass labels/Deployment/few",
      "pass labels/Deployment/many",
      "skip labels/Deployment/gone: an object that it names is not among the resources",
    ]);
  });

  test("both spellings", async () => {
    expect(
      await run(`
  - { ${few}, param: { name: limits }, expect: admit }
  - { ${few}, params: { name: limits }, expect: allow }
  - { ${many}, param: { name: limits }, expect: deny }
  - { ${many}, param: { name: limits }, userInfo: { name: root }, expect: skip }
  - { ${many}, param: { name: limits }, userInfo: { user: root }, expect: skip }
  - { object: { kind: Deployment, name: odd }, param: { name: limits }, expect: error }
  - { ${many}, oldObject: { kind: Deployment, name: few }, param: { name: limits }, expect: deny }`),
    ).toEqual([
      "pass replicas/Deployment/few with limits",
      "pass replicas/Deployment/few with limits #2",
      "pass replicas/Deployment/shop/many with limits",
      "pass replicas/Deployment/shop/many with limits #2",
      "pass replicas/Deployment/shop/many with limits #3",
      "pass replicas/Deployment/odd with limits",
      "pass replicas/Deployment/few -> Deployment/shop/many with limits",
    ]);
  });

  test("what a policy matches counts", async () => {
    const lines = await run(
      "  - { oldObject: { kind: Deployment, name: few }, param: { name: limits }, expect: admit }",
    );
    expect(lines[1]).toMatch(
      /allow \(kaptest: admit\) ≠ unmatched .*operations \| kaptest does not look at what a policy matches/,
    );
  });

  test.each([
    [`{ object: { kind: Pod, name: few }, expect: deny }`, "none of the resources is Pod/few"],
    [`{ ${few}, param: { name: nope }, expect: deny }`, "none of the resources is the param nope"],
    [`{ ${few}, expect: maybe }`, 'expect is "maybe"'],
    [`{ expect: deny }`, "it names no object"],
  ])("%s: not run", async (text, reason) => {
    expect((await run(`  - ${text}`))[0]).toMatch(new RegExp(`^skip .*: ${reason}$`));
  });
});

describe("kube-vap-test", () => {
  const run = (cases: string, type = "local"): Promise<string[]> =>
    runFiles({
      "t.yaml": `apiVersion: vaptest.k8s.io/v1\nkind: ValidatingAdmissionPolicyTest\nmetadata: { name: t }\nspec:\n  source: { type: ${type}, files: [policy.yaml, binding.yaml, limits.yaml] }\n  testCases:\n${cases}`,
      "policy.yaml": POLICY,
      "binding.yaml":
        "{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: b }, spec: { policyName: replicas, validationActions: [Deny], paramRef: { name: limits, parameterNotFoundAction: Deny } } }",
      "limits.yaml": LIMITS,
      "many.yaml": web("many", "replicas: 9"),
    });

  test("objects in place and in files", async () => {
    const lines = await run(`
  - { name: a, operation: CREATE, object: ${web("few", "replicas: 1")}, expected: { allowed: true } }
  - { name: b, operation: CREATE, objectFile: many.yaml, expected: { allowed: false, messageContains: many, reason: Invalid } }
  - { name: c, operation: UPDATE, objectFile: many.yaml, expected: { allowed: false, message: too few } }
  - { name: d, operation: DELETE, objectFile: many.yaml, expected: { allowed: true } }`);
    expect(lines.slice(0, 4)).toEqual(["pass a", "pass b", "fail c", "  message: too few ≠ too many"]);
    expect(lines[5]).toMatch(
      /allow \(kube-vap-test: allowed\) ≠ unmatched .*kube-vap-test allows objects that no policy matches/,
    );
  });

  test("a policy that the API server refuses judges nothing", async () => {
    const { "t.yaml": suite } = {
      "t.yaml":
        "{ kind: ValidatingAdmissionPolicyTest, spec: { source: { files: [p.yaml] }, testCases: [{ name: a, operation: CREATE, object: { apiVersion: v1, kind: Pod }, expected: { allowed: true } }] } }",
    };
    const lines = await runFiles({
      "t.yaml": suite,
      "p.yaml": POLICY.replace("message: never", "message: never, reason: Mine"),
    });
    expect(lines[0]).toMatch(
      /^skip a: the API server rejects it: spec\.validations\[1\]\.reason: Unsupported value: "Mine"/,
    );
  });

  test("policies of a cluster are not there", async () => {
    const lines = await run(
      "  - { name: a, operation: CREATE, objectFile: many.yaml, expected: { allowed: true } }",
      "cluster",
    );
    expect(lines).toEqual(["skip a: it takes policies from a cluster"]);
  });
});

describe("the kubescape library", () => {
  const binding =
    "{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: x }, spec: { policyName: x, validationActions: [Deny], paramRef: { name: x, parameterNotFoundAction: Deny } } }";
  const run = (tests: readonly object[]): Promise<string[]> =>
    runFiles({
      "controls/C-1/tests.json": JSON.stringify(tests),
      "controls/C-1/policy.yaml": POLICY,
      "test-resources/deployment.yaml": web("web", "replicas: 2"),
      "test-resources/policy-binding.yaml": binding,
      "test-resources/default-control-configuration.yaml": LIMITS,
      "test-resources/strict.yaml": LIMITS.replace("max: 3", "max: 1"),
    });

  test("fields changed, other params", async () => {
    const template = "deployment.yaml";
    expect(
      await run([
        { name: "as it is", template, expected: "pass" },
        { name: "more", template, expected: "fail", field_change_list: ["spec.replicas=4"] },
        { name: "stricter", template, expected: "fail", param_template: "strict.yaml" },
        { name: "wrong", template, expected: "pass", field_change_list: ["spec.replicas=5"] },
        { name: "no such field", template, expected: "pass", field_change_list: ["spec.[0]=5"] },
      ]),
    ).toEqual([
      "pass as it is",
      "pass more",
      "pass stricter",
      "fail wrong",
      "  verdict: allow (kubescape: pass) ≠ deny (too many)",
      'skip no such field: "spec.[0]=5" does not fit deployment.yaml',
    ]);
  });
});

describe("changing a field", () => {
  test.each([
    [{ a: 1 }, "a=2", { a: 2 }],
    [{}, "a.b.[1].c=x", { a: { b: [null, { c: "x" }] } }],
    [{ a: [1] }, 'a.[0]={"b":[]}', { a: [{ b: [] }] }],
    [{ a: null }, "a.b=a=b", { a: { b: "a=b" } }],
    [{ a: 1 }, "a.b=2", undefined],
    [{ a: {} }, "a.[0]=2", undefined],
    [{}, "a", undefined],
  ])("%j %s", (object, change, want) => {
    const before = JSON.stringify(object);
    expect(changeField(object, change)?.value).toEqual(want);
    expect(JSON.stringify(object)).toBe(before);
  });

  test("of any name", () => {
    const { value } = changeField({}, "__proto__.x=1")!;
    expect(Object.getOwnPropertyNames(value)).toEqual(["__proto__"]);
  });
});

describe("celtest", () => {
  const run = (tests: string, policy: string = POLICY): Promise<string[]> =>
    runFiles({
      "p/tests.yaml": `description: Replicas\nsection:\n- name: limits\n  tests:\n${tests}`,
      "p/policy.yaml": policy,
    });
  const few = `{ value: ${web("few", "replicas: 2")} }`;
  const many = `{ value: ${web("many", "replicas: 9")} }`;
  const params = `params: { value: ${LIMITS} }`;

  test("the message of a denial, none, and errors", async () => {
    expect(
      await run(`
  - { name: few, input: { object: ${few}, ${params} }, output: { expr: optional.none() } }
  - { name: many, input: { object: ${many}, ${params} }, output: { value: too many } }
  - { name: update, input: { object: ${many}, oldObject: ${few}, ${params} }, output: { value: false } }
  - { name: wrong, input: { object: ${many}, ${params} }, output: { value: too few } }
  - { name: no settings, input: { object: ${few}, params: { value: { apiVersion: example.com/v1, kind: Limits } } }, output: { errorSet: [] } }
  - { name: root, input: { object: ${many}, ${params}, request: { value: { userInfo: { username: root } } } }, output: { value: true } }`),
    ).toEqual([
      "pass limits/few",
      "pass limits/many",
      "pass limits/update",
      "fail limits/wrong",
      "  message: too few ≠ too many",
      "pass limits/no settings",
      "fail limits/root",
      "  verdict: allow (celtest: true) ≠ unmatched (policy 'replicas' with binding 'replicas-binding': match condition 'not-root' is false | celtest does not look at what a policy matches)",
    ]);
  });

  test("cases that cannot be brought over are skipped with the reason", async () => {
    expect(
      await run(`
  - { name: computed, input: { object: { expr: "{}" } }, output: { value: true } }
  - { name: another variable, input: { resource: { value: 1 } }, output: { value: true } }`),
    ).toEqual([
      "skip limits/computed: its input object is an expression",
      "skip limits/another variable: it has no object with apiVersion and kind",
    ]);
  });

  test("a policy of another form", async () => {
    expect(await run(`  - { name: few, input: { object: ${few} }, output: { value: true } }`, "rule: {}\n")).toEqual([
      "skip limits/few: celtest gets its policy as an argument: it must be a ValidatingAdmissionPolicy in policy.yaml beside the suite",
    ]);
  });
});
