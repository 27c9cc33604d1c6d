// Kustomizations and charts as inputs: other programs build them, and what Helm made is shown in its templates.

import { describe, expect, test } from "vitest";
import { runLine, type TestSetting } from "../io.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations: [{expression: "object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))", message: no latest}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
`;
const TEMPLATE = `{{- if .Values.web }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        {{- range .Values.containers }}
        - name: {{ .name }}
          image: "{{ .image }}"
        {{- end }}
{{- end }}
---
# celadon: ignore validation the chart's tests need it
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: 1}
`;
const CONFIG = `---
# Source: web/templates/all.yaml
# celadon: ignore validation the chart's tests need it
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: 1}
`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: release-name
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: a
          image: "a:1"
        - name: b
          image: "b:latest"
`;
const RENDERED = `${CONFIG}---
# Source: web/templates/all.yaml
${DEPLOYMENT}`;
const CHART = { "charts/web/Chart.yaml": "name: web\n", "charts/web/templates/all.yaml": TEMPLATE };

type Programs = NonNullable<TestSetting["programs"]>;

/** Programs that are installed, with their answers; their calls are added to `calls`. */
function machine(answers: Readonly<Record<string, string | Error>>, calls: string[] = []): Programs {
  return (program, args) => {
    const answer = answers[program];
    if (answer === undefined) throw Object.assign(new Error(`spawn ${program}`), { code: "ENOENT" });
    calls.push([program, ...args].join(" "));
    return typeof answer === "string"
      ? { code: 0, stdout: answer }
      : { code: 1, stdout: "", stderr: `Error: ${answer.message}\n` };
  };
}

const check = (line: string, setting: TestSetting) =>
  runLine(["check", "-f", "p.yaml", ...line.split(" ")], {
    ...setting,
    files: { "p.yaml": POLICY, "k/kustomization.yaml": "resources: []\n", ...setting.files },
  });

describe("-k", () => {
  const place = "<kustomize build k>:14:18";

  test("builds with kustomize", async () => {
    const calls: string[] = [];
    const { code, stdout } = await check("-k k", { programs: machine({ kustomize: DEPLOYMENT, kubectl: "" }, calls) });
    expect(code).toBe(1);
    expect(stdout).toContain(place);
    expect(calls).toEqual(["kustomize build k"]);
  });

  test("or with kubectl", async () => {
    const calls: string[] = [];
    expect((await check("-k k", { programs: machine({ kubectl: DEPLOYMENT }, calls) })).code).toBe(1);
    expect(calls).toEqual(["kubectl kustomize k"]);
  });

  test("names no file in reports", async () => {
    const { stdout } = await check("-k k -o github", { programs: machine({ kustomize: DEPLOYMENT }) });
    expect(stdout).toContain("::error title=policy/no-latest/validations[0] Deployment default/release-name::");
  });
});

describe("--helm", () => {
  test("shows problems in the templates", async () => {
    const calls: string[] = [];
    const { code, stdout } = await check("--helm charts/web --helm-values v.yaml -n shop --kube-version 1.36", {
      files: { ...CHART, "v.yaml": "web: true\n" },
      programs: machine({ helm: RENDERED }, calls),
    });
    expect(calls).toEqual([
      "helm template charts/web --include-crds --kube-version 1.36 --namespace shop --values v.yaml",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("Deployment shop/release-name  charts/web/templates/all.yaml:2");
    expect(stdout).toContain("spec.template.spec.containers[1].image   charts/web/templates/all.yaml:14:11");
    // Another document of the same template, which Helm moved to the front; its comment counts.
    expect(stdout).toContain("ConfigMap shop/c  charts/web/templates/all.yaml:19");
    expect(stdout).not.toContain("✗ ConfigMap");
  });

  test("names the template of a packed chart", async () => {
    const programs = machine({ helm: `---\n# Source: web/charts/db/templates/x.yaml\n${DEPLOYMENT}` });
    const { stdout } = await check("--helm charts/web", { files: CHART, programs });
    expect(stdout).toContain("<web/charts/db/templates/x.yaml>:16:18");
  });

  test("lint shows the line of the template", async () => {
    const template = POLICY.replace("name: no-latest", "name: {{ .Values.name }}").replace("kind: Val", "kind:  Val");
    const { stdout } = await runLine(["lint", "--helm", "charts/web"], {
      files: { "charts/web/templates/p.yaml": template },
      programs: machine({ helm: `---\n# Source: web/templates/p.yaml\n${POLICY.replace("(c, !c.", "(c, !d.")}` }),
    });
    expect(stdout).toContain("charts/web/templates/p.yaml:7:3");
    expect(stdout).toContain("7 |   validations: [{expression:");
  });
});

describe("Helm's output on standard input", () => {
  test("has the places of the chart in the working directory", async () => {
    const { stdout } = await check("-f -", { files: { "templates/all.yaml": TEMPLATE }, stdin: RENDERED });
    expect(stdout).toContain("containers[1].image   templates/all.yaml:14:11");
  });

  test("names templates elsewhere, and does not read files that a comment leads to", async () => {
    const stdin = `---\n# Source: ../../secret/x.yaml\n${DEPLOYMENT}`;
    const { stdout } = await check("-f -", { files: { "/secret/x.yaml": DEPLOYMENT, "/x.yaml": DEPLOYMENT }, stdin });
    expect(stdout).toContain("<../../secret/x.yaml>:16:18");
  });
});

// biome-ignore format: one case per line
const FAILURES: readonly (readonly [line: string, programs: Programs, says: string])[] = [
  ["-k k",                       machine({}),                                 "-k needs kustomize or kubectl, and neither is installed"],
  ["--helm charts/web",          machine({}),                                 "--helm needs helm, which is not installed"],
  ["-k nope",                    machine({ kustomize: DEPLOYMENT }),          '-k "nope": no such file or directory'],
  ["--helm bitnami/nginx",       machine({ helm: RENDERED }),                 '--helm "bitnami/nginx": no such file or directory'],
  ["--helm-values v.yaml",       machine({ helm: RENDERED }),                 "--helm-values is for --helm"],
  ["-k k --old-git main",        machine({ kustomize: DEPLOYMENT }),          "--old-git does not build kustomizations"],
  ["-k k",                       machine({ kustomize: new Error("no base") }), "k: kustomize build failed: no base"],
  ["--helm charts/web",          machine({ helm: new Error("nil pointer") }), "charts/web: helm template failed: nil pointer"],
  ["-k k",                       machine({ kustomize: "" }),                  "<kustomize build k>: is empty"],
  ["--helm charts/web",          machine({ helm: "a: [\n" }),                 "<helm template charts/web>:1:4: missing closing ]"],
];
test.each(FAILURES)("%s ends with a reason", async (line, programs, says) => {
  const { code, stderr } = await check(line, { files: CHART, programs });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test("--fix leaves built manifests alone", async () => {
  const { code, stderr } = await runLine(["lint", "--fix", "-k", "k"], { files: { "k/kustomization.yaml": "" } });
  expect(code).toBe(2);
  expect(stderr).toContain("--fix changes files in place, not what -k and --helm build");
});
