// The completions at the cursor `¦`, in expressions of every system and in the YAML around them.

import { describe, expect, test } from "vitest";
import { marked, policy, validation, WIDGETS } from "../marked.testing.ts";

const labels = (text: string, others?: Record<string, string>): string[] => {
  const { workspace, uri, offset } = marked(text, others);
  return workspace.completion(uri, offset).items.map(({ label }) => label);
};

const webhook = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  rules:
  - { apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }
  matchConditions:
  - name: c
    expression: ${expression}
`;
const mutation = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: m }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: ${expression}
`;
const certificate = (rule: string): string => `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: { name: c }
spec: { allowed: { dnsNames: { validations: [{ rule: "${rule}" }] } } }
`;
const userRule = (expression: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://login.example.com, audiences: [a] }
  claimMappings: { username: { claim: sub, prefix: "" } }
  userValidationRules:
  - expression: ${expression}
`;
const claimRule = (expression: string): string =>
  userRule(expression).replace("userValidationRules", "claimValidationRules");
const reviewCondition = (expression: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: hook
  webhook:
    matchConditions:
    - expression: ${expression}
`;
const VARIABLES =
  "  variables:\n  - name: containers\n    expression: object.spec.template.spec.containers\n  - name: count\n    expression: size(variables.containers)\n";
const PARAMS = policy(
  "  paramKind: { apiVersion: v1, kind: ConfigMap }\n  validations:\n  - expression: params.data.¦\n",
);
const LIMITS = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: limits }\ndata: { max: '5', min: '1' }\n";

// biome-ignore format: one case per line
const expressions: readonly { at: string; has: readonly string[]; not?: readonly string[]; others?: Record<string, string> }[] = [
  { at: validation("object.spec.¦"),                                          has: ["replicas", "template", "selector"], not: ["containers", "startsWith"] },
  { at: userRule("user.¦"),                                                   has: ["username", "groups", "uid", "extra"], not: ["claims"] },
  { at: userRule("user.groups.exists(g, g.¦)"),                               has: ["startsWith"] },
  { at: claimRule("¦"),                                                       has: ["claims", "has"], not: ["user", "object"] },
  { at: reviewCondition("request.¦"),                                         has: ["user", "groups", "resourceAttributes"], not: ["object"] },
  { at: reviewCondition("request.resourceAttributes.¦"),                      has: ["namespace", "verb", "fieldSelector"] },
  { at: validation("object.spec.rep¦licas <= 5"),                             has: ["replicas"] },
  { at: validation("object.spec.replcas > 1 && object.spec.¦"),               has: ["replicas"], not: ["replcas"] },
  { at: validation("object.metadata.labels.team != '' && object.metadata.labels.¦"), has: ["team"] },
  { at: validation("object.spec.template.spec.containers.all(c, c.¦)"),       has: ["image", "resources", "securityContext"] },
  { at: validation("object.spec.template.spec.containers.all(c, c.ports.exists(p, p.¦"), has: ["containerPort", "hostPort"], not: ["image"] },
  { at: validation("object.spec.template.spec.containers.all(¦c, c.image != '')"), has: ["object"] },
  { at: validation("object.spec.template.spec.containers.all(c, ¦)"),         has: ["c", "object", "has"] },
  { at: validation("object.metadata.?labels.¦"),                              has: ["orValue", "hasValue", "optMap"] },
  { at: validation("object.?spec.?¦"),                                        has: ["replicas"], not: ["orValue"] },
  { at: validation("object.metadata.name.¦"),                                 has: ["startsWith", "matches", "size"], not: ["all", "isGreaterThan"] },
  { at: validation("object.spec.template.spec.containers.¦"),                 has: ["all", "exists", "filter", "map", "size"], not: ["startsWith"] },
  { at: validation("variables.¦", VARIABLES),                                 has: ["containers", "count"] },
  { at: validation("variables.containers.all(x, x.¦)", VARIABLES),            has: ["image", "name"] },
  { at: policy(VARIABLES.replace("size(variables.containers)", "variables.¦")), has: ["containers"], not: ["count"] },
  { at: validation("has(¦"),                                                  has: ["object", "variables"], not: ["size", "true"] },
  { at: validation("request.¦"),                                              has: ["operation", "userInfo", "namespace"] },
  { at: validation("request.operation == '¦'"),                               has: ["CREATE", "DELETE"] },
  { at: validation("authorizer.¦"),                                           has: ["group", "path", "serviceAccount", "requestResource"] },
  { at: validation("authorizer.group('apps').resource('deployments').¦"),     has: ["check", "namespace", "subresource"] },
  { at: validation("authorizer.group('apps').resource('deployments').check('¦')"), has: ["create", "delete"] },
  { at: validation("sets.¦"),                                                 has: ["contains", "intersects"] },
  { at: validation("nope.¦"),                                                 has: [] },
  { at: validation("quantity('1Gi').¦"),                                      has: ["isLessThan", "compareTo"], not: ["startsWith"] },
  { at: validation("cel.bind(x, object.spec.template, x.¦)"),                 has: ["metadata", "spec"] },
  { at: validation("object.spec.selector.matchLabels.all(k, k.¦"),            has: ["startsWith"] },
  { at: validation("has(object.spec.paused) && object.spec.¦"),               has: ["paused"] },
  { at: validation("object.spec.replicas > 1 // note ¦"),                     has: [], not: ["object"] },
  { at: PARAMS,                                                               has: ["max", "min"], others: { "p.yaml": LIMITS } },
  { at: webhook("object.spec.¦"),                                             has: ["containers", "hostNetwork"] },
  { at: mutation("Object{¦"),                                                 has: ["metadata", "spec"] },
  { at: mutation("Object{spec: Object.spec{ ¦"),                              has: ["replicas", "template"] },
  { at: certificate("cr.¦"),                                                  has: ["namespace", "username"] },
  { at: certificate("self.¦"),                                                has: ["endsWith"], not: ["all"] },
  { at: WIDGETS.replace("RULE", "self.¦"),                                    has: ["size", "parts"] },
  { at: WIDGETS.replace("RULE", "self.parts.all(p, p.¦)"),                    has: ["color"] },
  { at: WIDGETS.replace("RULE", "'self.size > 0 && oldSelf.¦'"),              has: ["size"] },
  { at: policy("  validations:\n  - expression: \"object.spec.¦\n  - expression: 'x'\n"), has: ["replicas"] },
  { at: policy("  validations:\n  - message: ]\n    expression: object.spec.¦\n  other: [\n"), has: ["replicas"] },
  { at: policy("  validations:\n  - expression:\n      object.spec.¦\n"),     has: ["replicas"] },
  { at: policy("  validations:\n  - expression: ¦\n"),                        has: ["object", "has"] },
];
test.each(expressions)("$at", ({ at, has, not = [], others }) => {
  const found = labels(at, others);
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const label of not) expect(found).not.toContain(label);
  if (has.length === 0) expect(found).toEqual([]);
});

test("fields of definitions of the workspace", () => {
  const rules =
    "  matchConstraints: { resourceRules: [{ apiGroups: [example.com], apiVersions: [v1], resources: [widgets], operations: [CREATE] }] }\n";
  const text = policy("  validations:\n  - expression: object.spec.¦\n", { rules });
  expect(labels(text, { "crd.yaml": WIDGETS.replace("RULE", "'true'") })).toEqual(
    expect.arrayContaining(["size", "parts"]),
  );
  expect(labels(text)).not.toContain("parts");
});

test("policies inside a test suite", () => {
  const suite = `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources:\n- ${policy("  validations:\n  - expression: object.spec.¦\n").trimEnd().replaceAll("\n", "\n  ")}\n`;
  expect(labels(suite)).toContain("replicas");
});

test("an item replaces the word it is in, also inside a block", () => {
  const { workspace, uri, text, offset } = marked(validation("object.spec.rep¦licas <= 5 &&\n  true"));
  const { range } = workspace.completion(uri, offset);
  expect(text.slice(range.start, range.end)).toBe("replicas");
});

test("earlier names come first", () => {
  const text = policy(
    "  validations:\n  - expression: object.spec.progressDeadlineSeconds < 5\n  - expression: object.spec.¦\n",
  );
  expect(labels(text)[0]).toBe("progressDeadlineSeconds");
});

// biome-ignore format: one case per line
describe("YAML", () => {
  test.each([
    { at: policy("  vali¦"),                                       has: ["validations", "variables"] },
    { at: policy("  validations:\n  - expression: x\n    ¦"),      has: ["message", "reason", "messageExpression"] },
    { at: policy("  failurePolicy: ¦"),                            has: ["Fail", "Ignore"] },
    { at: policy("", { rules: "  matchConstraints:\n    resourceRules:\n    - apiGroups: [apps]\n      apiVersions: [v1]\n      resources: [¦]\n" }), has: ["deployments", "deployments/scale"] },
    { at: policy("", { rules: "  matchConstraints:\n    resourceRules:\n    - operations: [CREATE, ¦]\n" }), has: ["UPDATE", "DELETE"] },
    { at: "apiVersion: v1\nkind: ¦",                               has: ["Pod", "ConfigMap"] },
    { at: "¦",                                                     has: ["apiVersion", "kind", "ValidatingAdmissionPolicy"] },
    { at: "apiVersion: v1\nkind: Pod\nspec:\n  ¦",                 has: ["containers", "volumes"] },
    { at: "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: x\n    ¦", has: ["image", "resources"] },
    { at: WIDGETS.replace("rule: RULE", "rule: self.size > 0\n              fieldPath: ¦"), has: [".size", ".parts"] },
  ])("$at", ({ at, has }) => expect(labels(at)).toEqual(expect.arrayContaining(has)));

  test("names of policies", () => {
    const binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nspec:\n  policyName: ¦";
    expect(labels(binding, { "p.yaml": policy("") })).toContain("p");
  });

  test("not where another server has the keys", () => {
    const { workspace, uri, offset } = marked("apiVersion: v1\nkind: Pod\nspec:\n  ¦", {}, { yamlKeys: false });
    expect(workspace.completion(uri, offset).items).toEqual([]);
  });
});
