// The truth strip, and the smallest change that turns a clause with tests of both sides: for every system that has clauses.

import { CURRENT } from "@celadon/kube-cel";
import { costRows, estimateTotal, Measurements } from "@celadon/lint/costs";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../document/file.ts";
import { Workspace } from "../workspace.ts";

const deployment = (name: string, replicas: number): string =>
  `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec: { replicas: ${replicas}, selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: a, image: a }] } } }
`;

const RULES = "[{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }]";

const VALIDATING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints: { resourceRules: ${RULES} }
  matchConditions: [{ name: many, expression: object.spec.replicas > 5 }]
  validations: [{ expression: "object.spec.replicas < 100" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p, validationActions: [Deny] }
`;

const MUTATING = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: p }
spec:
  reinvocationPolicy: Never
  matchConstraints: { resourceRules: ${RULES} }
  matchConditions: [{ name: many, expression: object.spec.replicas > 5 }]
  mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'a': 'b'}}}" } }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p }
`;

const WEBHOOK = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  clientConfig: { service: { name: w, namespace: default } }
  sideEffects: None
  failurePolicy: Ignore
  admissionReviewVersions: [v1]
  rules: ${RULES}
  matchConditions: [{ name: many, expression: object.spec.replicas > 5 }]
`;

async function titles(workspace: Workspace, uri: string): Promise<string[]> {
  return (await workspace.lenses(uri)).map(({ title }) => title);
}

/** The suite that an action creates passes. */
async function expectPassing(workspace: Workspace, created: ReadonlyMap<string, string> | undefined): Promise<string> {
  const [[uri, suite] = ["", ""]] = created ?? [];
  workspace.set(uri, suite);
  expect([...(await workspace.suiteDiagnostics()).values()].flat()).toEqual([]);
  const runs = await workspace.suites();
  expect(runs.flatMap(({ cases }) => cases.map(({ result }) => result))).toEqual(["pass", "pass"]);
  return suite;
}

// biome-ignore format: one system per line
const systems = [
  { what: "a validating policy", text: VALIDATING, off: "policy p would not match",          on: "policy p would match",          expected: ["matched: true", "matched: false"] },
  { what: "a mutating policy",   text: MUTATING,   off: "policy p would not match",          on: "policy p would match",          expected: ["matched: true", "matched: false"] },
  { what: "a webhook",           text: WEBHOOK,    off: "webhook w.example.com would not be called", on: "webhook w.example.com would be called", expected: ["called:", "notCalled:"] },
];

describe.each(systems)("match conditions of $what", ({ text, off, on, expected }) => {
  const setUp = (): Workspace => {
    const workspace = new Workspace();
    workspace.set("x.yaml", text);
    workspace.set("a.yaml", deployment("a", 9));
    workspace.set("b.yaml", deployment("b", 2));
    return workspace;
  };

  test("the truth strip follows the objects", async () => {
    const workspace = setUp();
    expect((await titles(workspace, "x.yaml")).find((title) => title.includes("true"))).toMatch(
      /^●○ {2}1 true, 1 false {2}/,
    );
    workspace.set("b.yaml", deployment("b", 7));
    expect((await titles(workspace, "x.yaml")).find((title) => title.includes("true"))).toMatch(/^●● {2}2 true {2}/);
  });

  // biome-ignore format: one side per line
  test.each([
    { uri: "a.yaml", was: 9, becomes: 5, says: off, first: 0 },
    { uri: "b.yaml", was: 2, becomes: 6, says: on,  first: 1 },
  ])("$uri: the change that turns it, at the field it reads", async ({ uri, was, becomes, says, first }) => {
    const workspace = setUp();
    const before = workspace.file(uri)!.text;
    const found = await workspace.verdictActions(uri, before.indexOf(String(was)));
    expect(found.slice(0, 2).map(({ title }) => title)).toEqual([
      `Set spec.replicas to ${becomes}: ${says}`,
      "Add tests for both sides of this verdict",
    ]);
    expect(applyEdits(before, found[0]!.edits.get(uri)!)).toBe(before.replace(String(was), String(becomes)));
    const suite = await expectPassing(workspace, found[1]!.create);
    const at = expected.map((word) => suite.indexOf(word));
    expect(at.every((index) => index !== -1)).toBe(true);
    expect(at[0]! < at[1]!).toBe(first === 0);
    // Elsewhere in the object nothing is offered.
    const elsewhere = await workspace.verdictActions(uri, before.indexOf("apps/v1"));
    expect(elsewhere.filter(({ title }) => title.startsWith("Set"))).toEqual([]);
  });

  test("the same in the condition, for the object that is pinned", async () => {
    const workspace = setUp();
    const at = text.indexOf("object.spec.replicas >");
    const [first] = await workspace.verdictActions("x.yaml", at);
    expect([first?.title, [...first!.edits.keys()]]).toEqual([
      "Set spec.replicas to 5: would be false for Deployment a",
      ["a.yaml"],
    ]);
    workspace.pinned = "apps/Deployment/default/b";
    const titlesNow = (await workspace.verdictActions("x.yaml", at)).map(({ title }) => title);
    expect(titlesNow[0]).toMatch(/^Set spec\.replicas to \d+: /);
  });
});

test("how often a webhook is called", async () => {
  const workspace = new Workspace();
  workspace.set("x.yaml", WEBHOOK);
  expect((await titles(workspace, "x.yaml"))[0]).toBe("matches no object in the workspace");
  workspace.set("a.yaml", deployment("a", 9));
  workspace.set("b.yaml", deployment("b", 2));
  expect((await titles(workspace, "x.yaml"))[0]).toBe("called for 1 of the 2 objects its rules match");
});

test("the cost of a rule is the estimate of the API server, also without limits in the schema", async () => {
  const workspace = new Workspace();
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
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
              x-kubernetes-validations: [{ rule: "self.name.startsWith('a')", message: bad }]
              properties:
                name: { type: string }
                rules:
                  type: array
                  maxItems: 16
                  items:
                    type: object
                    x-kubernetes-validations: [{ rule: "self.path.startsWith('/')", message: bad }]
                    properties: { path: { type: string } }
`;
  workspace.set("crd.yaml", text);
  const costs = (await titles(workspace, "crd.yaml")).filter((title) => title.includes("cost"));
  const [resource] = workspace.file("crd.yaml")!.resources();
  const rows = await costRows([resource!.resource.manifest], [CURRENT], new Measurements());
  const wanted = rows
    .filter(({ expression }) => expression !== "")
    .map(({ estimate }) => `cost: up to ${Number(estimateTotal(estimate!)).toLocaleString("en")}, `);
  expect(costs).toHaveLength(2);
  for (const cost of wanted) expect(costs.some((title) => title.includes(cost))).toBe(true);
  expect(workspace.hover("crd.yaml", text.indexOf("'a'") + 1)?.text).toMatch(
    /^Estimated cost: up to [\d,]+ for one object\. The limit is 10,000,000\.$/,
  );
});

const POLICY = `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: { name: own }
spec:
  selector: { issuerRef: {} }
  allowed:
    ALLOWED
  constraints: { maxDuration: 2160h }
`;

const certificate = (names: string, duration = "720h"): string => `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: web, namespace: shop }
spec: { secretName: web, dnsNames: [${names}], duration: ${duration}, issuerRef: { name: ca } }
`;

const BY_RULE = `dnsNames: { values: ["*"], validations: [{ rule: "self.endsWith('.shop.svc')", message: not ours }] }`;
const BY_VALUE = `dnsNames: { values: ["*.shop.svc"] }`;

describe("certificate policies", () => {
  // biome-ignore format: one way to deny per line
  test.each([
    { what: "a rule",           allowed: BY_RULE,  text: certificate("a.bank.svc"),                  at: "a.bank", title: 'Set spec.dnsNames[0] to "a.shop.svc": would be approved', want: certificate("a.shop.svc") },
    { what: "a rule, second",   allowed: BY_RULE,  text: certificate("a.shop.svc, b.bank.svc"),      at: "b.bank", title: 'Set spec.dnsNames[1] to "b.shop.svc": would be approved', want: certificate("a.shop.svc, b.shop.svc") },
    { what: "allowed values",   allowed: BY_VALUE, text: certificate("a.bank.svc"),                  at: "a.bank", title: 'Set spec.dnsNames[0] to "a.shop.svc": would be approved', want: certificate("a.shop.svc") },
    { what: "a constraint",     allowed: BY_VALUE, text: certificate("a.shop.svc", "9000h"),         at: "9000h",  title: 'Set spec.duration to "2160h": would be approved',         want: certificate("a.shop.svc", '"2160h"') },
  ])("$what: at the guilty field, the change that makes it approve, and a suite that passes", async ({ allowed, text, at, title, want }) => {
    const workspace = new Workspace();
    workspace.set("p.yaml", POLICY.replace("ALLOWED", allowed));
    workspace.set("c.yaml", text);
    const [problem] = (await workspace.verdictDiagnostics()).get("c.yaml") ?? [];
    expect(problem?.range.start).toBeLessThanOrEqual(text.indexOf(at));
    expect(problem?.range.end).toBeGreaterThan(text.indexOf(at));
    const found = await workspace.verdictActions("c.yaml", text.indexOf(at));
    expect(found.slice(0, 2).map((action) => action.title)).toEqual([title, "Add tests for both sides of this verdict"]);
    expect(applyEdits(text, found[0]!.edits.get("c.yaml")!)).toBe(want);
    const suite = await expectPassing(workspace, found[1]!.create);
    expect(suite).toMatch(/expect: deny[\s\S]*expect: approve/);
  });

  test("the truth strip of rules, and how many requests are denied", async () => {
    const workspace = new Workspace();
    workspace.set("p.yaml", POLICY.replace("ALLOWED", BY_RULE));
    workspace.set("c.yaml", certificate("a.bank.svc"));
    workspace.set("d.yaml", certificate("a.shop.svc").replace("name: web", "name: other"));
    const [tally, strip] = await titles(workspace, "p.yaml");
    expect(tally).toBe("denies 1 of the 2 requests it applies to");
    expect(strip).toMatch(/^○● {2}1 true, 1 false/);
  });
});
