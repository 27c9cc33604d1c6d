// Test suites of a workspace: their problems, failing tests, and the tests that evaluate an expression.

import { describe, expect, test } from "vitest";
import { BINDING, policy } from "../marked.testing.ts";
import { Workspace } from "../workspace.ts";

const POLICY = policy(`  variables: [{ name: replicas, expression: object.spec.replicas }]
  validations:
  - expression: variables.replicas <= 5
    message: too many
    messageExpression: "'at most 5, not ' + string(variables.replicas)"
  - expression: "!has(object.spec.paused)"
`);

const WEB = (replicas: number): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: default }, spec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: a, image: a }] } } } }`;

const suite = (tests: string): string =>
  `apiVersion: celadon.dev/v1\nkind: TestSuite\nmetadata: { name: s }\nresources: [p.yaml, b.yaml]\ntests:\n${tests}`;

function workspaceWith(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [uri, text] of Object.entries({ "p.yaml": POLICY, "b.yaml": BINDING, ...files })) workspace.set(uri, text);
  return workspace;
}

describe("diagnostics of suites", () => {
  const GOOD = `- { name: few, object: ${WEB(2)}, expect: allow }\n`;
  const BAD = `- { name: many, object: ${WEB(9)}, expect: allow }\n`;

  // biome-ignore format: one case per line
  test.each([
    { what: "all pass",          text: suite(GOOD),                                       want: [] },
    { what: "one fails",         text: suite(GOOD + BAD),                                 want: [["test_fails", "many", 'test "many" fails: verdict: expected allow, got deny']] },
    { what: "an unknown field",  text: suite(GOOD.replace("expect:", "expects:")),         want: [["unknown_field", "expects", 'unknown field "expects"']] },
    { what: "a file is missing", text: suite(GOOD).replace("b.yaml", "c.yaml"),            want: [["bad_file", "c.yaml", "c.yaml: no such file in the workspace"]] },
    { what: "below other documents", text: `# first\n---\n${suite(BAD)}`,                 want: [["test_fails", "many", 'test "many" fails: verdict: expected allow, got deny']] },
  ])("$what", async ({ text, want }) => {
    const workspace = workspaceWith({ "suite.yaml": text });
    const found = (await workspace.suiteDiagnostics()).get("suite.yaml") ?? [];
    const shown = found.map(({ code, range, message }) => [code, text.slice(range.start, range.end).split(/[\],: ]/)[0], message.split("; ")[0]]);
    expect(shown).toEqual(want);
  });

  test("a change of what the suite reads is seen; of anything else, nothing runs again", async () => {
    const workspace = workspaceWith({ "suite.yaml": suite(BAD) });
    const [first] = await workspace.suites();
    workspace.set("other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n");
    expect((await workspace.suites())[0]).toBe(first);
    workspace.set("p.yaml", POLICY.replace("<= 5", "<= 9"));
    expect((await workspace.suites())[0]?.cases.map(({ result }) => result)).toEqual(["pass"]);
    expect((await workspace.suiteDiagnostics()).size).toBe(0);
  });

  test("a policy that a server rejects is reported at its place", async () => {
    const broken = POLICY.replace("variables.replicas <= 5", "variables.replicas <= ");
    const workspace = workspaceWith({ "p.yaml": broken, "suite.yaml": suite(GOOD) });
    const found = (await workspace.suiteDiagnostics()).get("p.yaml") ?? [];
    expect(found.map(({ code }) => code)).toEqual(["bad_resource"]);
    expect(broken.slice(0, found[0]!.range.start).split("\n").length).toBe(
      broken.slice(0, broken.indexOf("variables.replicas <=")).split("\n").length,
    );
  });
});

test("each expression says which tests evaluate it", async () => {
  const tests = `- { name: few, object: ${WEB(2)}, expect: allow }\n- { name: many, object: ${WEB(9)}, expect: deny }\n`;
  const workspace = workspaceWith({ "suite.yaml": suite(tests) });
  const titles = new Map(
    (await workspace.lenses("p.yaml")).map(({ range, title }) => [POLICY.slice(range.start, range.end), title]),
  );
  expect(titles.get("variables.replicas <= 5")).toMatch(/^evaluated by 2 tests {2}cost/);
  expect(titles.get(`"'at most 5, not ' + string(variables.replicas)"`)).toMatch(/^evaluated by test many/);
});

describe("mutating policies", () => {
  const MUTATING = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: m }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "object.spec.replicas < 2 ? Object{ spec: Object.spec{ replicas: 2 } } : Object{}"
`;
  const BOUND = `apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: { name: mb }\nspec: { policyName: m }\n`;

  test("how many objects it changes, and values for a sample", async () => {
    const workspace = new Workspace();
    workspace.set("m.yaml", MUTATING);
    workspace.set("mb.yaml", BOUND);
    workspace.set("one.yaml", WEB(1));
    workspace.set("two.yaml", WEB(3).replace("name: web", "name: two"));
    const lenses = await workspace.lenses("m.yaml");
    expect(lenses[0]?.title).toBe("changes 1 of the 2 objects it matches");
    const value = await workspace.valueAt("m.yaml", MUTATING.indexOf("replicas < 2"));
    expect(value).toMatchObject({ sample: "Deployment web", text: "object.spec.replicas", value: "1" });
  });
});
