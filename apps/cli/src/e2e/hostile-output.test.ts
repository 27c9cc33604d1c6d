// Hostile text in every place that output shows: names, messages, files, users, flags. Whatever the format and the stream, nothing
// moves a cursor, turns text around, forges a line or commands a CI runner.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";
import { FORMATS } from "../output/formats.ts";

const EVIL =
  "x\n::error file=a::FORGED\nFORGED\r##[group]FORGED\u001b[2J\u001b]0;t\u0007\u202e\u2066\u0085\u2028\u009b1mend";

/** The same inside an expression's literal. */
const EVIL_TEXT = JSON.stringify(EVIL).slice(1, -1);

const metadata = { name: `n${EVIL}`, namespace: `ns${EVIL}`, labels: { [EVIL]: EVIL }, annotations: { [EVIL]: EVIL } };
const api = "admissionregistration.k8s.io/v1";
const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];

const policy = (name: string, spec: object) => ({
  apiVersion: api,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name },
  spec: { matchConstraints: { resourceRules: rules }, ...spec },
});
const binding = (name: string, policyName: string) => ({
  apiVersion: api,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName, validationActions: ["Deny"] },
});

// Some would be rejected by a server for their names, some not: both ways are shown.
const documents: readonly unknown[] = [
  policy(`p${EVIL}`, {
    validations: [{ expression: `object.metadata.name == ${JSON.stringify(EVIL)}`, message: EVIL }],
  }),
  binding(`b${EVIL}`, `p${EVIL}`),
  policy("plain", {
    variables: [{ name: `v${EVIL}`, expression: "1" }],
    validations: [
      { expression: "false", messageExpression: `"m" + object.metadata.name` },
      { expression: `object.spec[${JSON.stringify(EVIL)}] == 1` },
      { expression: `"${EVIL.replaceAll("\n", " ")}" == 1 +` },
    ],
    auditAnnotations: [{ key: EVIL, valueExpression: "object.metadata.name" }],
  }),
  binding("plain", "plain"),
  policy("deny", {
    validations: [{ expression: "has(object.nope)", messageExpression: "'m' + object.data[object.data.k]" }],
  }),
  binding("deny", "deny"),
  { apiVersion: "v1", kind: "ConfigMap", metadata, data: { k: EVIL, [EVIL]: EVIL }, [`f${EVIL}`]: 1 },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { k: EVIL, [EVIL]: EVIL } },
  { apiVersion: `g${EVIL}/v1`, kind: `K${EVIL}`, metadata: { name: "odd" } },
  {
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name: `cp${EVIL}` },
    spec: {
      allowed: {
        commonName: { value: EVIL, validations: [{ rule: `self == ${JSON.stringify(EVIL)}`, message: EVIL }] },
      },
    },
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `ws.g.io${EVIL}` },
    spec: { group: "g.io", names: { plural: "ws", kind: `W${EVIL}` }, scope: "Namespaced", versions: [] },
  },
  {
    apiVersion: api,
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: `wh${EVIL}` },
    webhooks: [{ name: `w.h.io${EVIL}`, rules, clientConfig: { url: `https://${EVIL}` }, sideEffects: "None" }],
  },
];
const suite = {
  apiVersion: "celadon.dev/v1",
  kind: "TestSuite",
  name: EVIL,
  resources: ["plain.json"],
  tests: [{ name: `t${EVIL}`, object: { apiVersion: "v1", kind: "ConfigMap", metadata }, expect: EVIL, user: EVIL }],
};

const file = "m\n::error::FORGED\u001b[2J.json";
const files = {
  [file]: documents.map((document) => JSON.stringify(document)).join("\n"),
  "plain.json": documents.map((document) => JSON.stringify(document)).join("\n"),
  "suite.yaml": JSON.stringify(suite),
  "batch.jsonl": [`object.v`, `"${EVIL_TEXT}" + 1`, `${EVIL_TEXT}`]
    .map((expr, id) => JSON.stringify({ id: `${id}${EVIL}`, expr, vars: { object: { v: EVIL } } }))
    .join("\n"),
  "broken.yaml": `a: b\n\u001b[2J: {\u202e::error::FORGED\n`,
};

// biome-ignore format: one command line each
const lines: readonly (readonly string[])[] = [
  ["check", "-f", file, "--as", EVIL, "--as-group", EVIL],
  ["check", "-f", "plain.json", "-v"],
  ["check", "-f", "broken.yaml"],
  ["check", "-f", EVIL],
  ["explain", "-f", "plain.json", "--as", EVIL],
  ["lint", "-f", file],
  ["cost", "-f", "plain.json"],
  ["test", "suite.yaml"],
  ["test", "suite.yaml", "--run", EVIL],
  ["diff", "--old", "plain.json", "--new", file, "-f", "plain.json"],
  ["eval", `object == ${JSON.stringify(EVIL)}`, "--var", `object=${EVIL}`],
  ["eval", EVIL],
  ["autogen", "-f", "plain.json"],
  ["fuzz", "-f", "plain.json", "--runs", "2"],
  ["crd", "upgrade", "plain.json", "plain.json"],
  ["check", "-f", "plain.json", `--${EVIL}`],
  [EVIL],
  ["check", "-f", "plain.json", "--kube-version", EVIL],
  ["check", "-o", EVIL],
  ["mutate", "-f", "plain.json", "--as", EVIL],
  ["fmt", "--check", file, "plain.json"],
  ["store", "check", EVIL],
  ["audit", "--kubeconfig", EVIL, "--context", EVIL],
];

/** Verbs without a choice of formats. */
// biome-ignore format: one command line each
const plainLines: readonly (readonly string[])[] = [
  ["convert", "plain.json"],
  ["convert", file, "-o", EVIL],
  ["manifests", "webhook", "--namespace", EVIL, "--image", EVIL, "--arg", EVIL, "--param-resource", EVIL],
  ["manifests", "approver", "--namespace", EVIL, "--image", EVIL],
  ["manifests", "audit", "--namespace", EVIL, "--image", EVIL],
  ["manifests", "chart", EVIL],
  ["store", "backup", EVIL, "--data-dir", EVIL],
  ["store", "restore", EVIL, "--data-dir", EVIL],
  ["webhook", "--kubeconfig", EVIL, "--listen", EVIL],
  ["approver", "--kubeconfig", EVIL],
  ["up", "--memory", "--audit-policy", EVIL],
  ["playground", "--host", EVIL],
  ["help", EVIL],
  ["completion", EVIL],
  ["eval", "--batch", "batch.jsonl"],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const OURS = /^::(?:error|warning|notice) (?:file|title)=[^:]*::/;

function problemsOf(text: string, format: string | undefined): string[] {
  return text.split("\n").filter((line) => {
    const command = line.trimStart().startsWith("::") && !(format === "github" && OURS.test(line));
    return CONTROL.test(line) || command || line.includes("##[") || line.startsWith("FORGED");
  });
}

test.each(lines)("%j", async (...argv) => {
  for (const format of FORMATS) {
    const { stdout, stderr } = await runLine([...argv, "-o", format], { files });
    expect({ format, out: problemsOf(stdout, format), err: problemsOf(stderr, undefined) }).toEqual({
      format,
      out: [],
      err: [],
    });
  }
  const { stdout, stderr } = await runLine(argv, { files, terminal: 80, env: { NO_COLOR: "1" } });
  expect({ out: problemsOf(stdout, undefined), err: problemsOf(stderr, undefined) }).toEqual({ out: [], err: [] });
});

test.each(plainLines)("%j", async (...argv) => {
  const { stdout, stderr } = await runLine(argv, { files });
  expect({ out: problemsOf(stdout, undefined), err: problemsOf(stderr, undefined) }).toEqual({ out: [], err: [] });
});
