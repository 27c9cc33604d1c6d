// Ways to be green without having looked, a row for each: the exit code is not 0, or the unread part is named.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: "!has(object.spec.replicas) || object.spec.replicas <= 5"}]
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
`;
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: queues, singular: queue, kind: Queue, listKind: QueueList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
  - {name: v1alpha1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`;
const suite = (resource: string, expects: string): string => `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [${resource}]
tests:
- {name: web, object: web.yaml, expect: ${expects}}
`;

const FILES = {
  "policy.yaml": POLICY,
  "binding.yaml": BINDING,
  "web.yaml": DEPLOYMENT,
  "crd.yaml": CRD,
  "queue.yaml": "apiVersion: example.com/v1\nkind: Queue\nmetadata: {name: a}\n",
  "unserved.yaml": "apiVersion: example.com/v1alpha1\nkind: Queue\nmetadata: {name: a}\n",
  "config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
  "list.yaml": "apiVersion: v1\nkind: List\nitems: []\n",
  "empty.yaml": "",
  "misspelt.yaml": POLICY.replace("ValidatingAdmissionPolicy", "ValidatingAdmisionPolicy"),
  "misspelt-object.yaml": DEPLOYMENT.replace("kind: Deployment", "kind: Deploymnt"),
  "misspelt-binding.yaml": BINDING.replace("policyName: few", "policyName: fwe"),
  "nothing.yaml": POLICY.replace("[deployments]", "[deploymnts]"),
  "rejected.yaml": POLICY.replace("<= 5", "<="),
  "replicas.yaml": POLICY.replace("<= 5", "<= 4"),
  "webhooks.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: images.example.com
  clientConfig: {url: "https://x.example.com/"}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`,
  "answers.yaml": "image.example.com: {allowed: false}\n",
  "suites/few.yaml": `${POLICY}---\n${BINDING}`,
  "suites/web.yaml": DEPLOYMENT,
  "rejected/policy.yaml": POLICY.replace("<= 5", "<="),
  "rejected/web.yaml": DEPLOYMENT,
  "rejected/tests.yaml": suite("policy.yaml", "allow"),
  "misspelt/policy.yaml": POLICY.replace("ValidatingAdmissionPolicy", "ValidatingAdmisionPolicy"),
  "misspelt/web.yaml": DEPLOYMENT,
  "misspelt/tests.yaml": suite("policy.yaml", "unmatched"),
  "never/policy.yaml": POLICY.replace("[deployments]", "[deploymnts]"),
  "never/web.yaml": DEPLOYMENT,
  "never/tests.yaml": suite("policy.yaml", "unmatched"),
  "filtered/policy.yaml": POLICY,
  "filtered/web.yaml": DEPLOYMENT,
  "filtered/tests.yaml": suite("policy.yaml", "allow"),
  "cases/policy.yaml": POLICY,
  "cases/tests.yaml": "apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\ntests: []\n",
  "kind/policy.yaml": POLICY,
  "kind/tests.yaml": "apiVersion: celadon.dev/v1\nkind: TestSuit\nresources: [policy.yaml]\ntests: []\n",
  "charts/Chart.yaml": "name: a\n",
  "charts/templates/a.yaml": "{{ if }}\n",
};

// biome-ignore format: one way per line
const WAYS: readonly { readonly line: string; readonly code: number; readonly says: string }[] = [
  // Nothing to look at.
  { line: "check list.yaml",                                     code: 2, says: "nothing to check: no objects in the inputs" },
  { line: "check empty.yaml",                                    code: 2, says: "empty.yaml: is empty" },
  { line: "check charts",                                        code: 2, says: "charts: no manifests found" },
  { line: "check . --exclude *",                                 code: 2, says: "no .yaml, .yml, .json or .csr files" },
  { line: "check -f policies-*.yaml",                            code: 2, says: "policies-*.yaml" },
  { line: "lint config.yaml",                                    code: 2, says: "nothing to lint" },
  { line: "lint list.yaml -o junit",                             code: 2, says: "<error message=\"nothing to lint" },
  { line: "cost config.yaml",                                    code: 2, says: "nothing to cost" },
  { line: "explain -f policy.yaml Deployment/nope",              code: 2, says: "no object \"Deployment/nope\"" },
  { line: "explain -f policy.yaml -f web.yaml --policy nope",    code: 2, says: "no policy \"nope\"" },
  { line: "mutate policy.yaml binding.yaml",                     code: 2, says: "nothing to mutate" },
  { line: "diff policy.yaml replicas.yaml -f list.yaml",         code: 2, says: "nothing to compare" },
  { line: "diff --recorded policy.yaml -f web.yaml",             code: 2, says: "no recorded answers to compare" },
  { line: "fuzz binding.yaml",                                   code: 2, says: "no policies or CRDs" },
  { line: "fuzz nothing.yaml --runs 5",                          code: 2, says: "no object could be made" },
  { line: "prove config.yaml",                                   code: 2, says: "no ValidatingAdmissionPolicies" },
  { line: "prove nothing.yaml",                                  code: 2, says: "no question could be answered" },
  { line: "autogen config.yaml",                                 code: 2, says: "no policies in the inputs" },
  { line: "convert policy.yaml",                                 code: 2, says: "no policies from other tools" },
  { line: "crd upgrade config.yaml crd.yaml",                    code: 2, says: "no CustomResourceDefinition in OLD" },
  { line: "crd upgrade crd.yaml crd.yaml -f web.yaml",           code: 2, says: "no object in -f is of a kind" },
  { line: "eval --batch empty.yaml",                             code: 2, says: "has no lines" },
  { line: "test charts",                                         code: 2, says: "no test suites" },
  { line: "test cases",                                          code: 2, says: "cases/tests.yaml" },
  { line: "test filtered --run nope",                            code: 2, says: "matches none of 1 cases" },
  { line: "test never --mutate --mutate-min 50",                 code: 1, says: "below --mutate-min 50" },
  // Something that decides is not in force.
  { line: "check rejected.yaml binding.yaml web.yaml",           code: 1, says: "denied by the API server" },
  { line: "lint rejected.yaml",                                  code: 1, says: "Syntax error" },
  { line: "cost rejected.yaml",                                  code: 1, says: "does not compile" },
  { line: "mutate rejected.yaml binding.yaml web.yaml",          code: 1, says: "was rejected, so it is not in force" },
  { line: "explain -f rejected.yaml -f binding.yaml -f web.yaml", code: 1, says: "was rejected, so it is not in force" },
  { line: "fuzz rejected.yaml crd.yaml --runs 5",                code: 1, says: "was rejected, so it is not in force" },
  { line: "prove rejected.yaml",                                 code: 1, says: "was rejected, so it is not in force" },
  { line: "diff policy.yaml rejected.yaml -f web.yaml",          code: 1, says: "rejected, so it is not in force" },
  { line: "diff rejected.yaml rejected.yaml -f web.yaml -o junit", code: 1, says: "diff/rejected" },
  { line: "test rejected",                                       code: 2, says: "Syntax error" },
  { line: "check nothing.yaml binding.yaml web.yaml",            code: 1, says: "policy few is never enforced" },
  { line: "test never",                                          code: 0, says: "policy few is never enforced" },
  { line: "check policy.yaml web.yaml",                          code: 0, says: "policy few matched nothing: the policy has no binding" },
  { line: "check policy.yaml misspelt-binding.yaml web.yaml",    code: 1, says: "policy \"fwe\" does not exist" },
  { line: "check binding.yaml web.yaml",                         code: 0, says: "binding few has no effect: its policy few is not in the inputs" },
  { line: "check binding.yaml web.yaml --warn-exit-code 1",      code: 1, says: "binding few has no effect" },
  { line: "check policy.yaml binding.yaml config.yaml",          code: 0, says: "policy few matched nothing" },
  // Misspelt kinds and kinds that are not served.
  { line: "check misspelt.yaml binding.yaml web.yaml",           code: 1, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "check policy.yaml binding.yaml misspelt-object.yaml", code: 1, says: "did you mean \"Deployment\"" },
  { line: "check crd.yaml unserved.yaml",                        code: 1, says: "no matches for kind \"Queue\" in version \"example.com/v1alpha1\"" },
  { line: "check queue.yaml",                                    code: 0, says: "no CustomResourceDefinition for example.com/v1 Queue" },
  { line: "lint misspelt.yaml",                                  code: 1, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "cost misspelt.yaml policy.yaml",                      code: 2, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "fuzz misspelt.yaml policy.yaml --runs 5",             code: 2, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "prove misspelt.yaml policy.yaml",                     code: 2, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "autogen misspelt.yaml policy.yaml",                   code: 2, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "diff policy.yaml misspelt.yaml -f web.yaml",          code: 2, says: "did you mean \"ValidatingAdmissionPolicy\"" },
  { line: "test misspelt",                                       code: 2, says: "no policy has params of this kind" },
  { line: "test kind",                                           code: 2, says: "did you mean 'TestSuite'?" },
  { line: "check webhooks.yaml web.yaml --webhook-answers answers.yaml", code: 2, says: "no webhook \"image.example.com\" in the inputs" },
];

test.each(WAYS)("$line", async ({ line, code, says }) => {
  const ran = await runLine(line.split(" "), { files: FILES });
  expect(`${ran.stdout}${ran.stderr}`).toContain(says);
  expect(ran.code).toBe(code);
});
