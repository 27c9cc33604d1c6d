import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const files = {
  "a.yaml": `apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: v1
kind: Pod
metadata: {name: worker}
spec: {containers: [{name: a, image: a}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  validations: [{expression: has(object.spec)}]
`,
};

// biome-ignore format: one case per line
const cases = [
  { name: "another kind",           argv: ["cm/web"],                             says: 'no object "cm/web" in the inputs; did you mean Service/web?' },
  { name: "a slip in a name",       argv: ["Pod/wroker"],                         says: 'no object "Pod/wroker" in the inputs; did you mean Pod/worker?' },
  { name: "nothing like it",        argv: ["Pod/frontend"],                       says: 'no object "Pod/frontend" in the inputs\n' },
  { name: "a slip in a policy",     argv: ["Pod/worker", "--policy", "nolatest"], says: 'no policy "nolatest" in force; did you mean "no-latest"?' },
];
test.each(cases)("$name", async ({ argv, says }) => {
  const { code, stderr } = await runLine(["explain", "-f", "a.yaml", ...argv], { files });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test.each(["Pod/worker", "pods/worker", "po/default/worker"])("an object by %s", async (name) => {
  const placed = { "a.yaml": files["a.yaml"].replace("{name: worker}", "{name: worker, namespace: default}") };
  const { stdout } = await runLine(["explain", "-f", "a.yaml", name], { files: placed });
  expect(stdout).toMatch(/^Pod default\/worker {2}CREATE/);
});

test("a kind may be named with its group", async () => {
  const role = {
    "a.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\nrules: []\n",
  };
  const explain = (name: string) => runLine(["explain", "-f", "a.yaml", name], { files: role });
  expect((await explain("clusterroles.rbac.authorization.k8s.io/all")).stdout).toContain("ClusterRole all");
  expect((await explain("clusterroles.apps/all")).stderr).toContain('no object "clusterroles.apps/all" in the inputs');
});

const variables = {
  "policy.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: images}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  variables:
    - {name: containers, expression: object.spec.containers}
    - {name: bad, expression: "variables.containers.filter(c, c.image.startsWith('bad/'))"}
    - {name: count, expression: variables.bad.size()}
    - {name: init, expression: "object.spec.initContainers.map(c, c.image)"}
    - {name: all, expression: "variables.init + ['x']"}
  validations:
    - {expression: variables.count == 0, messageExpression: "'bad: ' + string(variables.count)"}
    - {expression: variables.all.size() < 3}
    - {expression: "!('y' in variables.all)"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: images}
spec: {policyName: images, validationActions: [Deny]}
`,
  "pod.yaml": `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - {name: a, image: good/a}
    - {name: b, image: bad/b}
`,
};

test("variables behind variables are shown once, and the element and the error behind them", async () => {
  const { stdout } = await runLine(["explain", "Pod/web", "-f", "policy.yaml", "-f", "pod.yaml"], { files: variables });
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {3}cost .*|\[\{.*\]|\[\{.*…/, "…"));
  expect(lines.slice(lines.findIndex((line) => line.startsWith("policy images")) + 1, -1)).toEqual([
    "✗ validations[0]…",
    "variables.count == 0",
    "variables.count → 1",
    "decided by spec.containers[1]   pod.yaml:7:7",
    "variables.count = variables.bad.size() → 1   policy.yaml:9:33",
    "variables.bad = variables.containers.filter(c, c.image.startsWith('bad/')) → …   policy.yaml:8:32",
    "variables.containers = object.spec.containers → …   policy.yaml:7:38",
    "· validations[0] message…",
    `'bad: ' + string(variables.count) → "bad: 1"`,
    "✗ validations[1]…",
    "variables.all.size() < 3",
    "error: variables.all fails",
    "variables.all.size() → error",
    "variables.all → error",
    "= variables.init + ['x']",
    "variables.init → error",
    "= object.spec.initContainers.map(c, c.image)",
    "object.spec.initContainers → error: no such key: initContainers",
    "['x'] → [\"x\"]",
    "✗ validations[2]…",
    "!('y' in variables.all)",
    "error: variables.all fails",
  ]);
});

test("check points at the element behind variables", async () => {
  const { stdout } = await runLine(["check", "-f", "policy.yaml", "pod.yaml", "-o", "github"], { files: variables });
  expect(stdout).toContain("::error file=pod.yaml,line=7,col=7,title=policy/images/validations[0]::bad: 1");
});

test("for machines: variables in variables, what a filter kept, and places behind variables", async () => {
  const argv = ["explain", "Pod/web", "-f", "policy.yaml", "-f", "pod.yaml", "-o", "json"];
  const { stdout } = await runLine(argv, { files: variables });
  const [count] = JSON.parse(stdout).objects[0].policies[0].expressions[0].variables;
  const [bad] = count.variables;
  expect([count.name, bad.name, bad.variables[0].name]).toEqual(["count", "bad", "containers"]);
  expect(bad.tree).toMatchObject({
    kept: [{ index: 1, path: "variables.containers[1]" }],
    children: [{ place: "pod.yaml:6:5" }, { children: [{ text: "c.image", place: "pod.yaml:7:24" }, {}] }],
  });
});

test("kinds by their plural and short names", async () => {
  const [long, plural, short] = await Promise.all(
    ["Service/web", "services/web", "svc/web"].map((name) => runLine(["explain", "-f", "a.yaml", name], { files })),
  );
  expect(long!.stdout).toContain("Service");
  expect([plural!.stdout, short!.stdout]).toEqual([long!.stdout, long!.stdout]);
});

test("files and directories may be named as for check, before and after objects", async () => {
  const dir = { "in/policy.yaml": variables["policy.yaml"], "pod.yaml": variables["pod.yaml"] };
  const [flags, alone] = await Promise.all(
    [
      ["-f", "in", "-f", "pod.yaml", "Pod/web"],
      ["in", "Pod/web", "pod.yaml"],
    ].map((argv) => runLine(["explain", ...argv], { files: dir })),
  );
  expect(flags!.stdout).toContain("policy images");
  expect(alone!.stdout).toBe(flags!.stdout);
});

test("a file that does not exist is reported as one", async () => {
  const { code, stderr } = await runLine(["explain", "polciy.yaml"], { files: variables });
  expect(code).toBe(2);
  expect(stderr).toContain("polciy.yaml: no such file");
});
