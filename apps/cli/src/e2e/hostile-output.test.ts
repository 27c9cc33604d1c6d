// Hostile text in every place that output shows: names, messages, files, users, flags. Whatever the format and the stream, nothing
// moves a cursor, turns text around, forges a line or commands a CI runner.

import { beforeAll, expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { optionsOf } from "../inputs/options.ts";
import { runLine } from "../io.testing.ts";
import { FORMATS } from "../output/formats.ts";
import type { Command } from "../program/command.ts";
import { EXIT } from "../program/exit.ts";
import { EVIL, EVIL_LITERAL, EVIL_WORD, problemsOf } from "./hostile-text.testing.ts";

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
    validations: [{ expression: `object.metadata.name == ${EVIL_LITERAL}`, message: EVIL }],
  }),
  binding(`b${EVIL}`, `p${EVIL}`),
  policy("plain", {
    variables: [{ name: `v${EVIL}`, expression: "1" }],
    validations: [
      { expression: "false", messageExpression: `"m" + object.metadata.name` },
      { expression: `object.spec[${EVIL_LITERAL}] == 1` },
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
        commonName: { value: EVIL, validations: [{ rule: `self == ${EVIL_LITERAL}`, message: EVIL }] },
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
const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        [EVIL]: { type: "string", pattern: EVIL, enum: [EVIL], description: EVIL },
        n: { type: "integer", maximum: 1 },
        s: { type: "string", maxLength: 1, pattern: "^a$", format: EVIL },
      },
      additionalProperties: undefined,
      "x-kubernetes-validations": [
        { rule: "self.n > 5", messageExpression: "'m' + self.s", fieldPath: `.${EVIL}` },
        { rule: "self.n > 5", messageExpression: "'m' + self.s" },
        { rule: `self.s == ${EVIL_LITERAL}`, message: EVIL, reason: EVIL },
        { rule: `self.s == ${EVIL_LITERAL}`, message: "m" },
      ],
    },
  },
};
const definition = (changed: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "ws.g.io", annotations: { [EVIL]: EVIL } },
  spec: {
    group: "g.io",
    names: { plural: "ws", kind: "W", singular: "w", listKind: "WList", shortNames: [EVIL] },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { ...schema, ...changed } } }],
  },
});
const plainSchema = {
  properties: {
    spec: {
      type: "object",
      properties: {
        s: { type: "string", maxLength: 2000 },
        n: { type: "integer" },
        m: { type: "object", additionalProperties: { type: "string", maxLength: 1 } },
      },
      "x-kubernetes-validations": [
        { rule: "self.n > 5", messageExpression: "'m' + self.s" },
        { rule: `self.s == ${EVIL_LITERAL}`, message: "m" },
      ],
    },
  },
};
const custom = [
  {
    apiVersion: "g.io/v1",
    kind: "W",
    metadata: { name: "w" },
    spec: { n: 2, s: EVIL, [EVIL]: EVIL, m: { [EVIL]: EVIL } },
  },
  { apiVersion: "g.io/v1", kind: "W", metadata: { name: `w${EVIL}` }, spec: { n: EVIL, s: 5 }, [EVIL]: EVIL },
];
const stricter = {
  properties: {
    spec: {
      ...plainSchema.properties.spec,
      properties: { s: { type: "string", maxLength: 1, enum: [EVIL] }, n: { type: "integer" } },
    },
  },
};
const mutating = [
  {
    apiVersion: api,
    kind: "MutatingAdmissionPolicy",
    metadata: { name: "mutate" },
    spec: {
      matchConstraints: { resourceRules: rules },
      matchConditions: [{ name: EVIL, expression: "true" }],
      variables: [{ name: "v", expression: EVIL_LITERAL }],
      reinvocationPolicy: "Never",
      failurePolicy: "Fail",
      mutations: [
        {
          patchType: "ApplyConfiguration",
          applyConfiguration: {
            expression: `Object{metadata: Object.metadata{labels: {${EVIL_LITERAL}: variables.v}}}`,
          },
        },
        {
          patchType: "JSONPatch",
          jsonPatch: {
            expression: `[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey(variables.v), value: variables.v}]`,
          },
        },
        {
          patchType: "JSONPatch",
          jsonPatch: { expression: `[JSONPatch{op: "test", path: "/" + variables.v, value: 1}]` },
        },
      ],
    },
  },
  {
    apiVersion: api,
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: "mutate" },
    spec: { policyName: "mutate" },
  },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { k: EVIL } },
];
const certificates = [
  {
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name: "cp" },
    spec: {
      allowed: {
        commonName: { value: EVIL, required: true, validations: [{ rule: `self == ${EVIL_LITERAL}`, message: EVIL }] },
        dnsNames: { values: [EVIL], required: true, validations: [{ rule: `self.size() > 1000`, message: EVIL }] },
        subject: { organizations: { values: [EVIL], required: true } },
      },
      selector: { issuerRef: {} },
    },
  },
  {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { name: "r", namespace: "n" },
    spec: {
      request: btoa("-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n"),
      issuerRef: { name: EVIL, kind: EVIL, group: EVIL },
      username: EVIL,
      groups: [EVIL],
      usages: [EVIL],
    },
  },
  {
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: { name: "c", namespace: "n" },
    spec: {
      commonName: EVIL,
      subject: { organizations: [EVIL] },
      uris: [EVIL],
      dnsNames: ["a.example.com"],
      issuerRef: { name: EVIL },
      secretName: "s",
    },
  },
];
const pods = [
  policy("pods", {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
    },
    variables: [{ name: "v", expression: `${EVIL_LITERAL} + object.spec.hostname` }],
    validations: [
      { expression: "object.spec.containers.all(c, c.image == variables.v)", message: EVIL },
      { expression: "object.kind == 'Pod'" },
    ],
  }),
  binding("pods", "pods"),
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", annotations: { a: EVIL } },
    spec: { hostname: EVIL, containers: [{ name: EVIL, image: EVIL }] },
  },
];
const kyverno = [
  {
    apiVersion: "kyverno.io/v1",
    kind: "ClusterPolicy",
    metadata: { name: `k${EVIL}`, annotations: { [EVIL]: EVIL } },
    spec: {
      validationFailureAction: "Audit",
      rules: [
        {
          name: `r${EVIL}`,
          match: { any: [{ resources: { kinds: ["Pod"] } }] },
          validate: {
            message: EVIL,
            cel: { expressions: [{ expression: "object.spec.x == '{{ y }}'", message: EVIL }] },
          },
        },
        {
          name: `s${EVIL}`,
          match: { any: [{ resources: { kinds: [EVIL] } }] },
          validate: { pattern: { [EVIL]: EVIL } },
        },
        {
          name: "t",
          match: { any: [{ resources: { kinds: ["Pod"] } }] },
          validate: { message: EVIL, cel: { expressions: [{ expression: "true" }] } },
        },
      ],
    },
  },
  {
    apiVersion: "templates.gatekeeper.sh/v1",
    kind: "ConstraintTemplate",
    metadata: { name: `t${EVIL}` },
    spec: {
      crd: { spec: { names: { kind: `T${EVIL}` } } },
      targets: [
        {
          target: EVIL,
          code: [
            { engine: EVIL, source: {} },
            {
              engine: "K8sNativeValidation",
              source: {
                failurePolicy: EVIL,
                variables: [{ name: "x", expression: EVIL }],
                validations: [{ expression: "params", message: EVIL }],
              },
            },
          ],
        },
      ],
    },
  },
];
const foreign = {
  validatingAdmissionPolicies: ["plain.json"],
  resources: ["plain.json", "pods.json"],
  testSuites: [
    {
      policy: "deny",
      tests: [
        { object: { kind: "ConfigMap", name: EVIL }, expect: "admit" },
        { object: { kind: "Pod", name: "p" }, param: { name: EVIL }, expect: EVIL },
      ],
    },
  ],
};
const suite = {
  apiVersion: "celadon.dev/v1",
  kind: "TestSuite",
  name: EVIL,
  resources: ["plain.json"],
  tests: [{ name: `t${EVIL}`, object: { apiVersion: "v1", kind: "ConfigMap", metadata }, expect: EVIL, user: EVIL }],
};

const passing = {
  apiVersion: "celadon.dev/v1",
  kind: "TestSuite",
  name: EVIL,
  resources: [EVIL],
  tests: [
    { name: `t${EVIL}`, object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } }, expect: "deny" },
  ],
};
const oddSuite = { ...suite, [EVIL]: 1, resources: [EVIL], tests: [{ name: 5, [EVIL]: 2, object: EVIL }] };

const file = "m\nFORGED\u001b[2J.json";
const lines = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join("\n");
const files = {
  [file]: lines(documents),
  "plain.json": lines(documents),
  "suite.yaml": JSON.stringify(suite),
  "passing.yaml": JSON.stringify(passing),
  "odd-suite.yaml": JSON.stringify(oddSuite),
  "foreign.yaml": JSON.stringify(foreign),
  [EVIL_WORD]: lines(documents.slice(2)),
  [`dir${file}/plain.json`]: lines([documents[4], documents[5]]),
  [`dir${file}/suite.yaml`]: JSON.stringify({
    ...suite,
    tests: [{ ...passing.tests[0], expect: { verdict: "deny", message: "m" } }],
  }),
  "custom.json": lines([definition({}), definition(plainSchema), ...custom]),
  "custom-new.json": lines([definition(stricter), ...custom]),
  "mutating.json": lines(mutating),
  "certificates.json": lines(certificates),
  "pods.json": lines(pods),
  "kyverno.json": lines(kyverno),
  "broken-expression.yaml": lines([policy("p", { validations: [{ expression: `1 + ${EVIL}` }] })]),
  "batch.jsonl": [`object.v`, `${EVIL_LITERAL} + 1`, EVIL_LITERAL.slice(1, -1)]
    .map((expr, id) => JSON.stringify({ id: `${id}${EVIL}`, expr, vars: { object: { v: EVIL } } }))
    .join("\n"),
  "broken.yaml": `a: b\n\u001b[2J: {\u202e::error::FORGED\n`,
};

/** Lines of every command, the first of which ends soon whatever flag is added. */
// biome-ignore format: one command line each
const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  eval: [
    ["eval", `object == ${EVIL_LITERAL}`, "--var", `object=${EVIL_WORD}`],
    ["eval", EVIL_WORD],
    ["eval", `[${EVIL_LITERAL}, {${EVIL_LITERAL}: b'\\x1b'}]`],
    ["eval", `{"a": 1}[${EVIL_LITERAL}]`],
    ["eval", `"a".matches(${EVIL_LITERAL} + "(")`],
    ["eval", "--batch", "batch.jsonl"],
  ],
  check: [
    ["check", "-f", file, "--as", EVIL_WORD, "--as-group", EVIL_WORD],
    ["check", "-f", "plain.json", "-v"],
    ["check", "-f", "broken.yaml"],
    ["check", "-f", EVIL_WORD],
    ["check", "-f", "plain.json", `--${EVIL_WORD}`],
    ["check", "-f", "custom.json"],
    ["check", "-f", "mutating.json"],
    ["check", "-f", "certificates.json"],
    ["check", "-f", "pods.json", "--autogen"],
  ],
  mutate: [["mutate", "-f", "plain.json", "--as", EVIL_WORD], ["mutate", "-f", "mutating.json"]],
  test: [
    ["test", "suite.yaml"],
    ["test", "suite.yaml", "--run", EVIL_WORD],
    ["test", "suite.yaml", "--coverage"],
    ["test", "passing.yaml", "-v", "--coverage", "--coverage-min", "100"],
    ["test", "suite.yaml", "--playground", "http://127.0.0.1:1/"],
    ["test", "odd-suite.yaml"],
    ["test", "foreign.yaml"],
    ["test", "--init", `dir${file}`],
    ["test", "--init", "plain.json"],
    ["test", `dir${file}`, "--update"],
  ],
  explain: [["explain", "-f", "plain.json", "--as", EVIL_WORD], ["explain", "-f", "custom.json"], ["explain", "-f", "certificates.json"], ["explain", "-f", "mutating.json"]],
  cost: [["cost", "-f", "plain.json"], ["cost", "-f", "custom.json"], ["cost", "-f", "mutating.json"]],
  lint: [["lint", "-f", file], ["lint", "-f", "custom.json"], ["lint", "-f", "mutating.json"], ["lint", "-f", "certificates.json"]],
  fuzz: [["fuzz", "-f", "plain.json", "--runs", "2"], ["fuzz", "-f", "mutating.json", "--runs", "20"]],
  fmt: [["fmt", "--check", file, "plain.json"], ["fmt", file, "broken.yaml"], ["fmt", "--check", "broken-expression.yaml"]],
  autogen: [["autogen", "-f", "plain.json"], ["autogen", "-f", "pods.json"]],
  diff: [["diff", "--old", "plain.json", "--new", file, "-f", "plain.json"], ["diff", "--old", "plain.json", "--new", "pods.json", "-f", "pods.json"]],
  convert: [["convert", "plain.json"], ["convert", file, "-o", EVIL_WORD], ["convert", "foreign.yaml"], ["convert", "kyverno.json"], ["convert", "kyverno.json", "-o", EVIL_WORD]],
  "crd upgrade": [["crd", "upgrade", "plain.json", "plain.json"], ["crd", "upgrade", "custom.json", "custom-new.json"]],
  up: [["up", "--memory", "--audit-policy", EVIL_WORD]],
  "store backup": [["store", "backup", EVIL_WORD, "--data-dir", EVIL_WORD]],
  "store restore": [["store", "restore", EVIL_WORD, "--data-dir", EVIL_WORD]],
  "store check": [["store", "check", EVIL_WORD]],
  audit: [["audit", "--kubeconfig", EVIL_WORD, "--context", EVIL_WORD]],
  lsp: [["lsp", `--${EVIL_WORD}`]],
  playground: [["playground", "--host", EVIL_WORD]],
  webhook: [["webhook", "--kubeconfig", EVIL_WORD, "--listen", EVIL_WORD], ["webhook", "--kubeconfig", EVIL_WORD]],
  approver: [["approver", "--kubeconfig", EVIL_WORD]],
  "manifests webhook": [["manifests", "webhook", "--namespace", EVIL_WORD, "--image", EVIL_WORD, "--arg", EVIL_WORD, "--param-resource", EVIL_WORD]],
  "manifests approver": [["manifests", "approver", "--namespace", EVIL_WORD, "--image", EVIL_WORD]],
  "manifests audit": [["manifests", "audit", "--namespace", EVIL_WORD, "--image", EVIL_WORD]],
  "manifests chart": [["manifests", "chart", EVIL_WORD]],
  completion: [["completion", EVIL_WORD]],
  help: [["help", EVIL_WORD]],
  version: [["version", EVIL_WORD]],
};

/** Not of one command. */
const ODD_LINES: readonly (readonly string[])[] = [
  [EVIL_WORD],
  ["crd", EVIL_WORD],
  [`--${EVIL_WORD}`],
  ["check", "-o", EVIL_WORD],
];

test("every command is tried", () => {
  expect(Object.keys(LINES).sort()).toEqual(verbs.map(({ name }) => name).sort());
});

async function problemsIn(argv: readonly string[], format?: string): Promise<unknown> {
  const line = format === undefined ? argv : [...argv, "-o", format];
  const terminal = format === undefined ? { terminal: 80, env: { NO_COLOR: "1" } } : {};
  const { stdout, stderr, code } = await runLine(line, { files, ...terminal });
  const found = { out: problemsOf(stdout, format), err: problemsOf(stderr) };
  return code === EXIT.internal || found.out.length + found.err.length > 0
    ? { line, code, ...found, stderr }
    : undefined;
}

const commands = new Map<string, Command>();
beforeAll(async () => {
  for (const { name, load } of verbs) commands.set(name, (await load()).command);
});

test.each(ODD_LINES)("%j", async (...argv) => expect(await problemsIn(argv)).toBeUndefined());

test.each(Object.entries(LINES))("%s, in every format", async (name, lines) => {
  const formats = commands.get(name)!.plain === true ? [] : FORMATS;
  for (const argv of lines) {
    for (const format of [undefined, ...formats]) expect(await problemsIn(argv, format)).toBeUndefined();
  }
});

test.each(Object.entries(LINES))("%s, its flags", async (name, [argv]) => {
  for (const { name: flag, value } of optionsOf(commands.get(name)!)) {
    if (value !== undefined) expect(await problemsIn([...argv!, `--${flag}`, EVIL_WORD])).toBeUndefined();
    if (value !== undefined) expect(await problemsIn([...argv!, `--${flag}=${file}`])).toBeUndefined();
  }
});

test("files of reports", async () => {
  for (const [out, argv] of [
    ["a", ["test", "suite.yaml", "--coverage"]],
    ["b", ["test", "passing.yaml", "--coverage"]],
  ] as const) {
    for (const format of ["html", "lcov", "json"]) {
      const { io } = await runLine([...argv, "--coverage-out", `${format}=${out}`], { files });
      const text = new TextDecoder().decode(io.contents.get(`/virtual/${out}`)!);
      expect({ format, problems: problemsOf(text) }).toEqual({ format, problems: [] });
    }
  }
});
