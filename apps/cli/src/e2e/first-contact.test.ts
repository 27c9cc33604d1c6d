// Situations in which new users were led astray, as they met them: each directory of testdata/first-contact has the files of one.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const ROOT = join(import.meta.dirname, "testdata/first-contact");

async function celadon(directory: string, line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const entries = readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true });
  const files = Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(join(ROOT, directory).length + 1), readFileSync(path, "utf8")]),
  );
  return runLine(line.split(" "), { files });
}

test("the failed match condition is blamed, of policies of both kinds and in every format", async () => {
  const text = await celadon("failed-condition", "check sidecar.yaml vap.yaml pod.yaml");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain("written at sidecar.yaml:10:33");
  expect(text.stdout).toContain("written at vap.yaml:11:17");
  const github = await celadon("failed-condition", "check sidecar.yaml vap.yaml pod.yaml -o github");
  expect(github.stdout).toContain("file=pod.yaml,line=4,col=1,title=mutation/inject-sidecar/matchConditions[1]::");
  expect(github.stdout).toContain("file=pod.yaml,line=4,col=1,title=policy/v/matchConditions[1]::");
  for (const format of ["sarif", "junit", "policyreport"]) {
    const { stdout } = await celadon("failed-condition", `check vap.yaml pod.yaml -o ${format}`);
    expect(stdout).toContain("matchConditions[1]");
    expect(stdout).not.toContain("matchConditions[0]");
  }
});

test("of two branches that are false, the one that reached an element of a list is blamed", async () => {
  const { stdout } = await celadon("list-element", "check latest.yaml latest-binding.yaml pod.yaml -o github");
  expect(stdout).toContain("::error file=pod.yaml,line=8,col=12,");
});

test("match conditions of webhooks are linted as those of policies are", async () => {
  const codes = async (file: string): Promise<string[]> => {
    const { stdout } = await celadon("webhook-conditions", `lint ${file} -o json`);
    const { problems } = JSON.parse(stdout) as { problems: { code: string; place: { line: number } }[] };
    return problems.map(({ code, place }) => `${place.line} ${code}`);
  };
  expect(await codes("wh.yaml")).toEqual(["21 object_read_on_delete", "21 unguarded_key"]);
  expect((await codes("vap-same-expression.yaml")).filter((text) => text.startsWith("8 "))).toEqual([
    "8 object_read_on_delete",
    "8 unguarded_key",
  ]);
});

test("an explanation opens variables, shows an expression once, and keeps its comments", async () => {
  const long = await celadon("variables", "explain latest.yaml latest-binding.yaml initpod.yaml");
  expect(long.stdout.split("// Pods").length - 1).toBe(1);
  expect(long.stdout).toContain("      // Pods\n      (\n          !has(object.spec.template) && (\n");
  expect(long.stdout).toContain("expression '…' resulted in error: no such key: template");

  const user = "--old old.yaml --as system:serviceaccount:default:jobset-in-place-restart Pod/w";
  const closed = await celadon("variables", `explain var-policy.yaml bad.yaml ${user}`);
  const opened = closed.stdout.slice(
    closed.stdout.indexOf("variables.isAnnotationsUnchangedExceptForInPlaceRestartAttempt → false"),
  );
  expect(opened).toContain("variables.oldAnnotations[key] == variables.newAnnotations[key] → false");
  expect(closed.stdout).not.toContain("        = variables.oldSpec == variables.newSpec\n");
  const all = await celadon("variables", `explain -v var-policy.yaml bad.yaml ${user}`);
  expect(all.stdout).toContain(
    "variables.isSpecUnchanged → true\n          = variables.oldSpec == variables.newSpec\n",
  );
});

test("an explanation has the conditions of webhooks with the values of their parts", async () => {
  const line = "explain wh.yaml objs.yaml --as ann --operation DELETE ConfigMap/cm";
  const { stdout } = await celadon("webhook-conditions", line);
  expect(stdout).toContain("✗ matchConditions typo   cost 3, <0.01% of the budget   wh.yaml:21:17\n");
  expect(stdout).toContain('object.metadata.labels["x"] → error: no such key: metadata\n');
});

test("the match condition of a webhook is blamed where it is written, and nothing of an object that is deleted", async () => {
  const deleted = await celadon("webhook-conditions", "check wh.yaml objs.yaml --as ann --operation DELETE");
  expect(deleted.stdout).toContain("written at wh.yaml:21:17");
  expect(deleted.stdout).not.toContain("metadata.labels.x   objs.yaml");
  const created = await celadon("webhook-conditions", "check wh.yaml objs.yaml --as ann -o github");
  expect(created.stdout).toContain("file=objs.yaml,line=7,col=1,title=webhook/audit/webhooks[0].matchConditions[4]::");
});

test("an object that cannot be read says nothing about the policies of a suite", async () => {
  const { stdout, code } = await celadon("no-decoding", "test s.yaml");
  expect(code).toBe(1);
  expect(stdout).toContain("denied for a reason outside this test: Deployment in version");
  expect(stdout).not.toContain("no policy that could match");
});

test("what an audit log has besides requests is one line, and a line that is cut off a warning", async () => {
  const whole = await celadon("audit-log", "diff --recorded old -f audit.log");
  expect(whole.stderr.match(/skipped/g)).toHaveLength(1);
  expect(whole.stderr).toContain("4 audit events skipped: ");
  expect(whole.stderr).toContain("connections (exec) are logged without their options");
  const cut = await celadon("audit-log", "diff --recorded old -f audit-trunc.log");
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain("audit-trunc.log:13:1248: warning: the last line is cut off, so its event is skipped");
  expect(cut.stdout).toContain("7 of 8 recorded answers agree");
});

test("what a server normalises is no policy's change", async () => {
  const { stdout, stderr } = await celadon("normalised", "mutate label.yaml deny.yaml pod.yaml --no-defaults");
  const changes = `${stdout}${stderr}`.split("\n").filter((line) => /^ +[+~-] /.test(line));
  expect(changes.map((line) => line.trim())).toEqual([
    "~ changed by mutating policy default-team, binding default-team, mutations[0]",
    '+ metadata.labels.team: "unknown"',
  ]);
});

test("options of a connection have the name of their target, or none", async () => {
  const named = await celadon("normalised", "check exec.yaml dep.yaml --operation CONNECT --name p");
  expect(named.stdout).toContain("PodExecOptions default/p CONNECT");
  const unnamed = await celadon("normalised", "check exec.yaml dep.yaml");
  expect(unnamed.stdout).toContain("PodExecOptions in namespace default CONNECT");
});

test("a policy whose objects cannot be read is not said to match other resources", async () => {
  const policy =
    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}\n  validations: [{expression: object.spec.replicas > 1}]\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: p}\nspec: {policyName: p, validationActions: [Deny]}\n";
  const object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, labels: {a: true}}\n";
  const files = { "p.yaml": policy, "o.yaml": object };
  const { stdout } = await runLine(["check", "p.yaml", "o.yaml"], { files });
  expect(stdout).toContain(
    "policy p matched nothing: the server rejects the objects that it matches before policies see them",
  );
});

const CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n";

// biome-ignore format: one case per line
test.each([
  ["texts that go on at the indentation of their key", `${CONFIG_MAP}  k: "first\n  second"\n`, ""],
  ["maps that go on at the indentation of their key",  CONFIG_MAP.replace("\ndata:\n", "\n  labels: {a: b,\n  c: d}\n"), ""],
  ["a quote behind a backslash",                       `${CONFIG_MAP}  k: "it\\'s"\n`, ""],
  ["a key that is given twice",                        `${CONFIG_MAP}  k: a\n  k: b\n`, 'key "k" already set in map; the last one counts'],
  ["text behind the end of a document",                `${CONFIG_MAP}  k: a\n...\nrest: 1\n`, "warning: ignored: the document ends before this text"],
])("what kubectl reads is judged: %s", async (_, text, warning) => {
  const checked = await runLine(["check", "."], { files: { "a.yaml": text } });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("ConfigMap default/a  a.yaml:1") });
  expect(checked.stderr).toContain(warning);
});
