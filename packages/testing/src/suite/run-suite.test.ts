// Cases of every kind, with their results.

import { describe, expect, test } from "vitest";
import { FILES, runText, suiteOf, summary, type Texts, WEB } from "./suite.testing.ts";

// biome-ignore format: one case per line
const cases: { name: string; tests: string; want: string[] }[] = [
  { name: "allow",                      tests: "- { name: a, object: web.yaml, expect: allow }",                                    want: ["pass a"] },
  { name: "deny by a patch",            tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: deny }",        want: ["pass a"] },
  { name: "deny by a JSON patch",       tests: "- { name: a, object: Deployment/web, patch: [{ op: replace, path: /spec/replicas, value: 4 }], expect: deny }", want: ["pass a"] },
  { name: "by kind, namespace, name",   tests: "- { name: a, object: Deployment/shop/web, expect: allow }",                         want: ["pass a"] },
  { name: "a part of a file",           tests: "- { name: a, object: web.yaml#web, expect: allow }",                                want: ["pass a"] },
  { name: "not as expected",            tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: allow }",       want: ["fail a", "  verdict: allow ≠ deny (at most 3)"] },
  { name: "no expectation",             tests: "- { name: a, object: web }",                                                        want: ["error a: the case has no `expect`; the result is allow"] },
  { name: "message",                    tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: { verdict: deny, message: at most 3, reason: Invalid, code: 422 } }", want: ["pass a"] },
  { name: "another message",            tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: { verdict: deny, message: at most 5, reason: Forbidden, code: 403 } }", want: ["fail a", "  message: at most 5 ≠ at most 3", "  reason: Forbidden ≠ Invalid", "  code: 403 ≠ 422"] },
  { name: "a part of the message",      tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: { verdict: deny, message: { contains: most, matches: '^at .* \\d$' } } }", want: ["pass a"] },
  { name: "no such part",               tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: { verdict: deny, message: { contains: least } } }", want: ["fail a", '  message: text with "least" ≠ at most 3'] },
  { name: "the whole text",             tests: "- { name: a, object: web, patch: { spec: { replicas: 4 } }, expect: { statusMessage: { contains: 'deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy' } } }", want: ["pass a"] },
  { name: "update by a patch",          tests: "- { name: a, oldObject: web, patch: { spec: { replicas: 1 } }, expect: { verdict: deny, message: no shrinking, reason: Forbidden, code: 403 } }", want: ["pass a"] },
  { name: "update by two objects",      tests: `- { name: a, oldObject: web, object: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: shop }, spec: { replicas: 3, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } } } }, expect: allow }`, want: ["pass a"] },
  { name: "any failure",                tests: "- { name: a, oldObject: web, patch: { spec: { replicas: 1 } }, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: { max: '0' } }], expect: { message: no shrinking, anyFailure: true, failures: 2 } }", want: ["pass a"] },
  { name: "failures in any order",      tests: "- { name: a, oldObject: web, patch: { spec: { replicas: 1 } }, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: { max: '0' } }], expect: { failures: [{ validation: 1 }, { message: at most 0, policy: replicas, binding: everywhere, params: policies/limits }] } }", want: ["pass a"] },
  { name: "failures left over",         tests: "- { name: a, object: web, patch: { spec: { replicas: 9 } }, expect: { failures: [] } }", want: ["fail a", "  failures: none ≠ replicas, validations[0]: at most 3 (deny)"] },
  { name: "a number of failures",       tests: "- { name: a, object: web, patch: { spec: { replicas: 9 } }, expect: { failures: 0 } }", want: ["fail a", "  failures: 0 ≠ 1 | replicas, validations[0]: at most 3 (deny)"] },
  { name: "unmatched fails",            tests: "- { name: a, object: web, namespace: lab, expect: allow }",                         want: ["fail a", "  verdict: allow ≠ unmatched (policy 'replicas' with binding 'everywhere': namespaceSelector 'env=prod' does not select namespace 'lab')"] },
  { name: "unmatched, other aspects",   tests: "- { name: a, object: web, namespace: lab, expect: { warnings: 0 } }",               want: ["fail a", "  matched: true ≠ false (policy 'replicas' with binding 'everywhere': namespaceSelector 'env=prod' does not select namespace 'lab')"] },
  { name: "unmatched as expected",      tests: "- { name: a, object: web, namespace: lab, expect: unmatched }",                     want: ["pass a"] },
  { name: "not matched as expected",    tests: "- { name: a, object: web, namespace: lab, expect: { matched: false } }",            want: ["pass a"] },
  { name: "matched after all",          tests: "- { name: a, object: web, expect: unmatched }",                                     want: ["fail a", "  verdict: unmatched ≠ allow"] },
  { name: "a namespace with labels",    tests: "- { name: a, object: web, namespace: { name: lab, labels: { env: prod } }, expect: allow }", want: ["pass a"] },
  { name: "a match condition",          tests: "- { name: a, object: web, user: root, expect: allow }",                             want: ["fail a", "  verdict: allow ≠ unmatched (policy 'replicas' with binding 'everywhere': match condition 'not-system' is false)"] },
  { name: "delete does not match",      tests: "- { name: a, object: web, operation: DELETE, expect: allow }",                      want: ["fail a", "  verdict: allow ≠ unmatched (policy 'replicas': no resource rule matches: resourceRules[0].operations)"] },
  { name: "a subresource",              tests: "- { name: a, oldObject: web, patch: { status: { replicas: 1 } }, subresource: status, expect: unmatched }", want: ["pass a"] },
  { name: "params of the case",         tests: "- { name: a, object: web, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: { max: '1' } }], expect: { verdict: deny, message: at most 1 } }", want: ["pass a"] },
  { name: "an error is not a denial",      tests: "- { name: a, object: web, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: { max: x } }], expect: deny }", want: ["fail a", "  verdict: deny ≠ error (expression 'object.spec.replicas <= int(params.data.max)' resulted in error: type conversion error from 'string' to 'int')"] },
  { name: "an error that is expected",  tests: "- { name: a, object: web, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: {} }], expect: { verdict: error, allowed: false, message: { contains: 'no such key: data' } } }", want: ["pass a"] },
  { name: "audit annotations",          tests: "- { name: a, object: web, expect: { auditAnnotations: { replicas: '2', replicas/replicas: { contains: '2' }, other: null } } }", want: ["pass a"] },
  { name: "other annotations",          tests: "- { name: a, object: web, expect: { auditAnnotations: { replicas: '3', x: z } } }",  want: ["fail a", "  auditAnnotations.replicas: 3 ≠ 2", "  auditAnnotations.x: z ≠ none"] },
  { name: "costs within",               tests: "- { name: a, object: web, expect: { cost: { max: 1000, policies: { replicas: 1000 } } } }", want: ["pass a"] },
  { name: "costs beyond",               tests: "- { name: a, object: web, expect: { cost: 1 } }",                                   want: ["fail a", expect.stringMatching(/^ {2}cost: at most 1 ≠ \d+$/) as unknown as string] },
  { name: "the stored object",          tests: "- { name: a, object: web, expect: { object: { metadata: { namespace: shop, labels: null }, spec: { replicas: 2 } } } }", want: ["pass a"] },
  { name: "another object",             tests: "- { name: a, object: web, expect: { object: { spec: { replicas: 3, paused: true } } } }", want: ["fail a", "  object.spec.replicas: 3 ≠ 2", "  object.spec.paused: true ≠ nothing"] },
  { name: "cases of a test",            tests: "- { name: a, object: web, patch: { spec: { paused: true } }, expect: deny, cases: [{ name: x, patch: { spec: { replicas: 7 } } }, { name: z, patch: { spec: { replicas: 3 } }, expect: { object: { spec: { paused: true } } } }] }", want: ["pass a/x", "pass a/z"] },
  { name: "a binding",                  tests: "- { name: a, object: web, policy: replicas, binding: everywhere, expect: allow }",   want: ["pass a"] },
];

describe("a case", () => {
  test.each(cases)("$name", async ({ tests, want }) => {
    expect(summary(await runText(suiteOf(tests), FILES))).toEqual(want);
  });
});

const TWO: Texts = {
  "web.yaml": WEB,
  "policy.yaml": ["a", "b"]
    .map(
      (name) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  failurePolicy: ${name === "a" ? "Fail" : "Ignore"}
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"] }
  validations:
  - expression: ${
    name === "a"
      ? "authorizer.group('apps').resource('deployments').namespace('shop').check('delete').allowed()"
      : "object.spec.nothing == 1"
  }
    message: not for you
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: ${name === "a" ? "[Warn, Audit]" : "[Deny]"} }`,
    )
    .join("\n---"),
};
const ROLES = `rbac: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: r }, rules: [{ verbs: [delete], apiGroups: [apps], resources: [deployments] }] }, { apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: { name: r }, roleRef: { kind: ClusterRole, name: r }, subjects: [{ kind: User, name: ann }] }]`;
const WARNING = "Validation failed for ValidatingAdmissionPolicy 'a' with binding 'a': not for you";

// biome-ignore format: one case per line
const several: { name: string; tests: string; want: string[] }[] = [
  { name: "warn",                      tests: `- { name: x, object: web, user: ann, policy: a, expect: { verdict: warn, allowed: true, warnings: ["${WARNING}"], message: not for you } }`, want: ["pass x"] },
  { name: "other warnings",            tests: "- { name: x, object: web, user: ann, policy: a, expect: { warnings: [] } }",          want: ["fail x", `  warnings: none ≠ ${WARNING}`] },
  { name: "roles of the case",         tests: `- { name: x, object: web, user: ann, policy: a, ${ROLES}, expect: allow }`,           want: ["pass x"] },
  { name: "an answer of the case",     tests: "- { name: x, object: web, user: ann, policy: a, authorizer: [{ user: ann, verb: delete, decision: allow }], expect: allow }", want: ["pass x"] },
  { name: "the nearest answer counts", tests: `- { name: x, object: web, user: ann, policy: a, ${ROLES}, authorizer: [{ decision: allow }], cases: [{ name: w, authorizer: [{ user: ann, decision: deny }], expect: warn }, { name: z, expect: allow }] }`, want: ["pass x/w", "pass x/z"] },
  { name: "an ignored error",          tests: "- { name: x, object: web, policy: b, expect: allow }",                                want: ["fail x", "  verdict: allow ≠ error (ignored by failurePolicy: expression 'object.spec.nothing == 1' resulted in error: no such key: nothing)"] },
  { name: "… as expected",             tests: "- { name: x, object: web, policy: b, expect: { verdict: error, allowed: true } }",    want: ["pass x"] },
];

describe("policies apart", () => {
  test.each(several)("$name", async ({ tests, want }) => {
    expect(summary(await runText(suiteOf(tests), TWO))).toEqual(want);
  });
});

describe("a run", () => {
  const tests = `- { name: one, object: web, expect: deny }
- { name: two, object: web, expect: allow }`;

  test("only what a pattern names", async () => {
    expect(summary(await runText(suiteOf(tests), FILES, { run: /tests\/two/ }))).toEqual(["pass two"]);
  });

  test("stops at the first failure", async () => {
    const result = await runText(suiteOf(tests), FILES, { failFast: true });
    expect(summary(result)).toEqual(["fail one", "  verdict: deny ≠ allow", "skip two: skipped after a failure"]);
  });

  test("stops on its signal", async () => {
    const result = await runText(suiteOf(tests), FILES, { signal: { aborted: true } });
    expect(summary(result)).toEqual(["skip one: interrupted", "skip two: interrupted"]);
  });

  test("reports each case with place and duration", async () => {
    const told: unknown[] = [];
    let time = 0;
    await runText(suiteOf(tests), FILES, {
      onCase: ({ id, place, milliseconds }) => told.push([id, place?.line, milliseconds]),
      now: () => (time += 2),
    });
    expect(told).toEqual([
      ["tests/one", 6, 2],
      ["tests/two", 7, 2],
    ]);
  });

  test("against changed policies", async () => {
    const result = await runText(suiteOf("- { name: a, object: web, expect: allow }"), FILES, {
      replace: (manifests) =>
        manifests.map((manifest) =>
          manifest.object.kind === "ConfigMap"
            ? { ...manifest, object: { ...manifest.object, data: { max: "1" } } }
            : manifest,
        ),
    });
    expect(summary(result)).toEqual(["fail a", "  verdict: allow ≠ deny (at most 1)"]);
  });

  test("is watched by an observer for each case", async () => {
    const seen: string[] = [];
    await runText(suiteOf("- { name: a, object: web, expect: allow }"), FILES, {
      observe: ({ name }) => ({
        observer: {
          recorder: () => undefined,
          result: ({ kind, index }) => seen.push(`${name} ${kind} ${index}`),
          discard: () => {},
          begin: () => {},
          restart: () => {},
        },
        done: ({ allowed }) => seen.push(`${name} ${allowed}`),
      }),
    });
    expect(seen).toEqual(expect.arrayContaining(["a matchCondition 0", "a validation 0", "a validation 1", "a true"]));
  });

  test("does not start with policies that a cluster would refuse", async () => {
    const files = {
      ...FILES,
      "policy.yaml": FILES["policy.yaml"]!.replace("object.spec.replicas <= int", "objekt <= int"),
    };
    const lines = summary(await runText(suiteOf("- { name: a, object: web, expect: allow }"), files));
    expect(lines).toEqual([
      "policy.yaml:13:20: ValidatingAdmissionPolicy \"replicas\": undeclared reference to 'objekt' (in container '')",
    ]);
  });

  test("nor with policies that its minor would refuse", async () => {
    const files = { ...FILES, "policy.yaml": FILES["policy.yaml"]!.replace("oldObject == null ||", "isIP('::1') &&") };
    const text = (minor: string) => `kubeVersion: "${minor}"\n${suiteOf("- { name: a, object: web, expect: error }")}`;
    expect(summary(await runText(text("1.30"), files))).toEqual([
      "policy.yaml:14:24: ValidatingAdmissionPolicy \"replicas\": rejected by Kubernetes 1.30: undeclared reference to 'isIP' (in container '')",
    ]);
    expect(summary(await runText(text("1.31"), files))).toEqual(["pass a"]);
  });

  test("nor with unknown fields", async () => {
    const files = { ...FILES, "policy.yaml": FILES["policy.yaml"]!.replace("auditAnnotations:", "auditAnotations:") };
    expect(summary(await runText(suiteOf("- { name: a, object: web, expect: allow }"), files))).toEqual([
      'policy.yaml:15:3: ValidatingAdmissionPolicy "replicas": unknown field "spec.auditAnotations"',
    ]);
  });
});

test("policies for workloads, derived where the suite asks for it", async () => {
  const rule = "{ apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE] }";
  const policy = [
    "apiVersion: admissionregistration.k8s.io/v1",
    "kind: ValidatingAdmissionPolicy",
    "metadata: { name: no-host-network }",
    "spec:",
    `  matchConstraints: { resourceRules: [${rule}] }`,
    "  validations: [{ expression: '!has(object.spec.hostNetwork) || !object.spec.hostNetwork', message: no host network }]",
    "---",
    "apiVersion: admissionregistration.k8s.io/v1",
    "kind: ValidatingAdmissionPolicyBinding",
    "metadata: { name: everywhere }",
    "spec: { policyName: no-host-network, validationActions: [Deny] }",
  ].join("\n");
  const template = "{ spec: { hostNetwork: true, containers: [{ name: a, image: b }] } }";
  const suite = (autogen: string): string =>
    [
      "apiVersion: celadon.dev/v1",
      "kind: TestSuite",
      autogen,
      "resources: [policy.yaml]",
      "tests:",
      `- { name: a, serverValidation: false, object: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { template: ${template} } }, expect: { verdict: deny, message: no host network } }`,
    ].join("\n");
  const results = async (autogen: string): Promise<string[]> => {
    const { cases } = await runText(suite(autogen), { "policy.yaml": policy });
    return cases.map(({ result }) => result);
  };
  expect(await results("autogen: true")).toEqual(["pass"]);
  expect(await results("autogen: [Deployment]")).toEqual(["pass"]);
  expect(await results("autogen: [CronJob]")).toEqual(["fail"]);
  expect(await results("autogen: false")).toEqual(["fail"]);
});

test("unknown fields reject a request, unless the case asks for something else", async () => {
  const policy = [
    "apiVersion: admissionregistration.k8s.io/v1",
    "kind: ValidatingAdmissionPolicy",
    "metadata: { name: p }",
    "spec:",
    "  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps] }] }",
    "  validations: [{ expression: '!has(object.extra)' }]",
    "---",
    "apiVersion: admissionregistration.k8s.io/v1",
    "kind: ValidatingAdmissionPolicyBinding",
    "metadata: { name: p }",
    "spec: { policyName: p, validationActions: [Deny] }",
  ].join("\n");
  const object = "object: { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, extra: 1 }";
  const suite = [
    "apiVersion: celadon.dev/v1",
    "kind: TestSuite",
    "resources: [policy.yaml]",
    "tests:",
    `- { name: strict, ${object}, expect: allow }`,
    `- { name: warn, fieldValidation: Warn, ${object}, expect: { verdict: allow, warnings: ['unknown field "extra"'] } }`,
    `- { name: ignore, fieldValidation: Ignore, ${object}, expect: { verdict: allow, warnings: 0 } }`,
  ].join("\n");
  const { cases } = await runText(suite, { "policy.yaml": policy });
  expect(cases.map(({ result }) => result)).toEqual(["fail", "pass", "pass"]);
});
