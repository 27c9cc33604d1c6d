// Suites of mutating policies and webhooks: the changes, their authors, and the resulting object.

import { describe, expect, test } from "vitest";
import { issuesOf, runText, summary, type Texts } from "./suite.testing.ts";

const FILES: Texts = {
  "policy.yaml": `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: labels }
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE, UPDATE] }]
  matchConditions: [{ name: not-system, expression: "!has(object.metadata.labels) || !('skip' in object.metadata.labels)" }]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'team': params.data.team}}}" }
  - patchType: JSONPatch
    jsonPatch: { expression: "has(object.spec.priority) ? [] : [JSONPatch{op: 'add', path: '/spec/priority', value: int(params.data.priority)}]" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec: { policyName: labels, paramRef: { name: team, namespace: policies, parameterNotFoundAction: Deny } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: team, namespace: policies }
data: { team: shop, priority: "3" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: hooks }
webhooks:
- name: side.example.com
  clientConfig: { url: "https://side.example.com" }
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }]
`,
  "pod.yaml":
    "{ apiVersion: v1, kind: Pod, metadata: { name: web, namespace: shop }, spec: { containers: [{ name: a, image: a }] } }",
};

const suiteOf = (tests: string): string =>
  `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\nobjects: [pod.yaml]\ntests:\n${tests}`;

// biome-ignore format: one case per line
const cases: { name: string; tests: string; want: string[] }[] = [
  { name: "fields of the stored object",  tests: "- { name: a, object: web, expect: { verdict: allow, object: { metadata: { labels: { team: shop } }, spec: { priority: 3 } } } }", want: ["pass a"] },
  { name: "how many mutations",           tests: "- { name: a, object: web, expect: { mutations: 2 } }", want: ["pass a"] },
  { name: "who made them",                tests: "- { name: a, object: web, expect: { mutations: [{ policy: labels, binding: everywhere, params: policies/team, mutation: 0 }, { mutation: 1 }] } }", want: ["pass a"] },
  { name: "an expected patch",            tests: "- { name: a, object: web, expect: { mutations: [{ patch: [{ op: add, path: /metadata/labels, value: { team: shop } }] }, { patch: [{ op: add, path: /spec/priority, value: 3 }] }] } }", want: ["pass a"] },
  { name: "existing fields are not mutations", tests: "- { name: a, object: web, patch: { metadata: { labels: { team: shop } }, spec: { priority: 1 } }, expect: { verdict: allow, mutations: [] } }", want: ["pass a"] },
  { name: "another patch",                tests: "- { name: a, object: web, patch: { spec: { priority: 1 } }, expect: { mutations: [{ patch: [{ op: add, path: /metadata/labels, value: {} }] }] } }", want: ["fail a", '  mutations: {"patch":[{"op":"add","path":"/metadata/labels","value":{}}]} ≠ {"policy":"labels","binding":"everywhere","params":"policies/team","mutation":0,"patch":[{"op":"add","path":"/metadata/labels","value":{"team":"shop"}}]}'] },
  { name: "what refused",                 tests: "- { name: a, object: web, policy: labels, patch: { metadata: { labels: { skip: x } } }, expect: allow }", want: ["fail a", "  verdict: allow ≠ unmatched (mutating policy 'labels' with binding 'everywhere': match condition 'not-system' is false)"] },
  { name: "an error",                     tests: "- { name: a, object: web, params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: team, namespace: policies }, data: { team: t, priority: x } }], expect: { verdict: error, allowed: false, code: 403, message: { contains: type conversion error }, failures: [{ system: mutation, policy: labels, binding: everywhere }] } }", want: ["pass a"] },
  { name: "a webhook that answers",       tests: "- { name: a, object: web, policy: hooks, webhookAnswers: { side.example.com: { patch: [{ op: add, path: /metadata/annotations, value: { seen: 'yes' } }] } }, expect: { verdict: allow, mutations: [{ policy: hooks, binding: side.example.com, patch: [{ op: add, path: /metadata/annotations, value: { seen: 'yes' } }] }], object: { metadata: { annotations: { seen: 'yes' } } } } }", want: ["pass a"] },
  { name: "a webhook that denies",        tests: "- { name: a, object: web, policy: hooks, webhookAnswers: { hooks/side.example.com: { allowed: false, status: { message: not here } } }, expect: { verdict: deny, statusMessage: 'admission webhook \"side.example.com\" denied the request: not here' } }", want: ["pass a"] },
  { name: "a webhook that fails",         tests: "- { name: a, object: web, policy: hooks, webhookAnswers: { side.example.com: { httpStatus: 500 } }, expect: { verdict: error, code: 500 } }", want: ["pass a"] },
];

describe("a case", () => {
  test.each(cases)("$name", async ({ tests, want }) => {
    expect(summary(await runText(suiteOf(tests), FILES))).toEqual(want);
  });
});

test("names that are not there", async () => {
  const tests =
    "- { name: a, object: web, webhookAnswers: { sied.example.com: {} }, expect: { mutations: [{ policy: lables }] } }";
  expect(await issuesOf(suiteOf(tests), FILES)).toEqual([
    expect.stringContaining('the suite has no webhook "sied.example.com"'),
    expect.stringContaining('the suite has no policy "lables"'),
  ]);
});
