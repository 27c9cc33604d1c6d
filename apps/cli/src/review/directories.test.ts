// Real directories: an unreadable file is a finding beside everything else, a file without manifests is skipped with a line.

import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:latest"}]}
`;
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations: [{expression: "object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
`;
const JUDGED = { "dep.yaml": DEPLOYMENT, "policies/latest.yaml": POLICY };
const SOPS = `apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: "ENC[AES256_GCM,data:Zm9v]"}
sops: {version: 3.8.1, mac: "ENC[x]"}
`;

describe("a file that cannot be read", () => {
  const files = { ...JUDGED, "broken.yaml": "a: [\n" };

  test("leaves the others: they are judged, reports name it, and the exit code says so", async () => {
    const text = await runLine(["check", "-f", "."], { files });
    expect(text).toMatchObject({ code: 2 });
    expect(text.stdout).toContain("✗ Deployment default/web  dep.yaml:1  denied, 1 policy");
    expect(text.stderr).toContain("broken.yaml:1:4: missing closing ]");
    expect(text.stderr).toContain("celadon: cannot read one input; the rest is in the results");
    const junit = await runLine(["check", "-f", ".", "-o", "junit"], { files });
    expect(junit.stdout).toContain('<testsuite name="broken.yaml" tests="1" failures="0" errors="1" skipped="0">');
    const json = JSON.parse((await runLine(["check", "-f", ".", "-o", "json"], { files })).stdout);
    expect(json.unread).toEqual([
      { code: "syntax", file: "broken.yaml", line: 1, column: 4, message: "missing closing ]" },
    ]);
  });

  test.each(["lint", "cost"])("%s goes on with the rest", async (command) => {
    const { code, stdout } = await runLine([command, "-f", "."], { files });
    expect(code).toBe(2);
    expect(stdout).not.toBe("");
  });

  test("ends a run that wants every file", async () => {
    const { code, stdout, stderr } = await runLine(["check", "-f", ".", "--strict-files"], { files });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("celadon: cannot read one input\n");
  });

  test("is everything: nothing is reviewed", async () => {
    const { code, stdout } = await runLine(["check", "-f", "."], { files: { "broken.yaml": "a: [\n" } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

/** As shells and envsubst write it. */
const placeholder = (name: string): string => `\${${name}}`;

describe("files that are no manifests", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "a Helm chart",          files: { "chart/Chart.yaml": "name: c\n", "chart/values.yaml": "a: 1\n", "chart/templates/d.yaml": "a: {{ .Values.a }}\n" }, want: "chart/Chart.yaml: skipped: part of a Helm chart (and 2 more like it) (celadon check --helm CHART renders it)" },
    { name: "a template",            files: { "t.yaml": "kind: Pod\nmetadata: {{ .x }}\n" },       want: "t.yaml: skipped: Helm template, not a manifest (celadon check --helm CHART renders a chart)" },
    { name: "a kustomize patch",     files: { "k/kustomization.yaml": "patches:\n#- path: p/one.yaml\n- path: p/two.yaml\n", "k/p/one.yaml": DEPLOYMENT, "k/p/two.yaml": DEPLOYMENT }, want: "k/p/one.yaml: skipped: patch of a kustomization (and 1 more like it) (celadon check -k DIR applies it)" },
    { name: "a patch left behind",   files: { "k/kustomization.yaml": "resources: [../base]\n", "k/manager_auth_proxy_patch.yaml": DEPLOYMENT }, want: "k/manager_auth_proxy_patch.yaml: skipped: patch of a kustomization (celadon check -k DIR applies it)" },
    { name: "a template with loops", files: { "t.yaml": "kind: Pod\nspec:\n  a:\n{{ if .x }}\n    b: {}\n{{ end }}\n   c: 1\n" }, want: "t.yaml: skipped: Helm template, not a manifest (celadon check --helm CHART renders a chart)" },
    { name: "placeholders of Python", files: { "p.yaml": "kind: Pod\nimage: {prefix}app:{tag}\n" }, want: "p.yaml: skipped: template with placeholders, not a manifest (fill it in first, as in envsubst < FILE | celadon check -f -)" },
    { name: "placeholders of sed",   files: { "p.yaml": "kind: Pod\nname: @NAME@\n" },            want: "p.yaml: skipped: template with placeholders, not a manifest (fill it in first, as in envsubst < FILE | celadon check -f -)" },
    { name: "placeholders of a shell", files: { "p.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: $NAMESPACE}\n" }, want: "p.yaml: skipped: template with placeholders, not a manifest (fill it in first, as in envsubst < FILE | celadon check -f -)" },
    { name: "a program's report",    files: { "r.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: ConformanceReport\nprofiles: []\n" }, want: "r.yaml: skipped: configuration of a program, not of a cluster" },
    { name: "a SOPS secret",         files: { "s.yaml": SOPS },                                      want: "s.yaml: skipped: encrypted with SOPS (decrypt it first: sops --decrypt FILE | celadon check -f -)" },
    { name: "a program's settings",  files: { "kind.yaml": "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n" }, want: "kind.yaml: skipped: configuration of a program, not of a cluster" },
    { name: "a program's own group", files: { "skaffold.yaml": "apiVersion: skaffold/v3\nkind: Config\nmetadata: {name: a}\n" }, want: "skaffold.yaml: skipped: configuration of a program, not of a cluster" },
    { name: "a component's settings", files: { "manager.yaml": "apiVersion: config.jobset.x-k8s.io/v1alpha1\nkind: Configuration\nleaderElection: {}\n" }, want: "manager.yaml: skipped: configuration of a program, not of a cluster" },
    { name: "placeholders in names", files: { "ca.yaml": `apiVersion: v1\nkind: Secret\nmetadata: {name: "${placeholder("component")}-ca"}\ndata: {a: "${placeholder("ca")}"}\n` }, want: "ca.yaml: skipped: template with placeholders, not a manifest (fill it in first, as in envsubst < FILE | celadon check -f -)" },
    { name: "placeholders in labels", files: { "crd.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {chart: '{{ template \"a\" . }}'}}\n" }, want: "crd.yaml: skipped: template with placeholders, not a manifest (fill it in first, as in envsubst < FILE | celadon check -f -)" },
    { name: "a directory of patches", files: { "k/kustomization.yaml": "patches:\n- path: patches/a.yaml\n", "k/patches/a.yaml": DEPLOYMENT, "k/patches/unused.yaml": DEPLOYMENT }, want: "k/patches/a.yaml: skipped: patch of a kustomization (and 1 more like it) (celadon check -k DIR applies it)" },
    { name: "JSON with comments",    files: { "babel.config.json": "{\n  // presets\n  \"presets\": []\n}\n" }, want: "babel.config.json: skipped: JSON of another program, not readable as a manifest" },
    { name: "API server settings",   files: { "e.yaml": "apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n" }, want: "e.yaml: skipped: configuration of a program, not of a cluster" },
    { name: "a kubeconfig",          files: { "c.yaml": "apiVersion: v1\nkind: Config\nclusters: []\n" }, want: "c.yaml: skipped: kubeconfig" },
  ] as { name: string; files: Record<string, string>; want: string }[];
  test.each(cases)("$name", async ({ files, want }) => {
    const { code, stdout, stderr } = await runLine(["check", "-f", "."], { files: { ...JUDGED, ...files } });
    expect(code).toBe(1);
    expect(stdout).toContain("3 objects, 2 allowed, 1 denied");
    expect(stderr.split("\n")).toContain(want);
  });

  test("does not mean the files of an API server, which are validated", async () => {
    const files = {
      "a.yaml":
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: [{issuer: {url: 'http://a'}}]\n",
    };
    const { code, stdout } = await runLine(["check", "-f", "."], { files });
    expect(code).toBe(1);
    expect(stdout).toContain("URL scheme must be https");
  });

  test("is not skipped when it is named", async () => {
    const { code, stdout } = await runLine(["check", "s.yaml"], { files: { "s.yaml": SOPS } });
    expect(code).toBe(1);
    expect(stdout).toContain('unknown field "sops"');
  });

  test("alone is no success", async () => {
    const files = { "k/kustomization.yaml": "patches:\n- path: one.yaml\n", "k/one.yaml": DEPLOYMENT };
    for (const command of ["check", "lint"]) {
      const { code, stderr } = await runLine([command, "-f", "k"], { files });
      expect(code).toBe(2);
      expect(stderr).toContain("k: no manifests found");
    }
  });
});

describe("suites that would be left out", () => {
  const suite = (kind: string, rest: string): string =>
    `apiVersion: celadon.dev/v1\nkind: ${kind}\nresources: [policies/latest.yaml]\n${rest}`;
  const good = suite(
    "TestSuite",
    `tests:\n- name: a\n  object: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n  expect: unmatched\n`,
  );

  // biome-ignore format: one case per line
  test.each([
    ["one that cannot be read",  suite("TestSuite", "bad: [\n"),   "b.yaml:4:6: missing closing ]"],
    ["one whose kind is misspelt", suite("TestSuit", "tests: []\n"), "b.yaml:2:7: unknown kind 'TestSuit' of celadon.dev/v1; did you mean 'TestSuite'?"],
    ["one in small letters",     suite("testsuite", "tests: []\n"), "b.yaml:2:7: unknown kind 'testsuite' of celadon.dev/v1; did you mean 'TestSuite'?"],
  ])("%s is reported, and the run does not pass", async (_, text, want) => {
    const files = { ...JUDGED, "a.yaml": good, "b.yaml": text };
    const { code, stdout, stderr } = await runLine(["test"], { files });
    expect(code).toBe(2);
    expect(stderr).toContain(want);
    expect(stdout).toMatch(/PASS {2}1 passed, 0 failed in 1 suite\ncannot read one input: the exit code is 2\n$/);
    const strict = await runLine(["test", "--strict-files"], { files });
    expect(strict).toMatchObject({ code: 2, stdout: "" });
  });

  test("one without cases is reported", async () => {
    for (const rest of ["tests: []\n", "tests:\n", ""]) {
      const files = { ...JUDGED, "a.yaml": good, "b.yaml": suite("TestSuite", rest) };
      const { code, stderr } = await runLine(["test"], { files });
      expect([rest, code]).toEqual([rest, 2]);
      expect(stderr).toContain("b.yaml:");
    }
  });

  test("one of another tool runs when it is named, as it does in a directory", async () => {
    const pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n";
    const cases = "  tests:\n  - {object: {kind: Pod, name: a}, expect: skip}\n";
    const kaptest = `policies: [policies/latest.yaml]\nresources: [pod.yaml]\nvapTestSuites:\n- policy: no-latest\n${cases}`;
    const files = { ...JUDGED, "pod.yaml": pod, "kaptest.yaml": kaptest };
    for (const argv of [
      ["test", "kaptest.yaml"],
      ["test", "."],
    ]) {
      const { code, stdout, stderr } = await runLine(argv, { files });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("1 passed, 0 failed in 1 suite");
    }
  });
});
