// Manifests, suites and inputs of every kind with hostile text in all places that output shows: names, keys, messages, users, paths.

import { EVIL, EVIL_LITERAL, EVIL_WORD } from "./hostile-text.testing.ts";

const metadata = {
  name: `n${EVIL}`,
  namespace: `ns${EVIL}`,
  labels: { [EVIL]: EVIL, team: EVIL },
  annotations: { [EVIL]: EVIL },
};
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
        { object: { kind: "ConfigMap", name: "c" }, expect: "admit" },
        { object: { kind: "Pod", name: "p" }, param: { name: EVIL }, expect: EVIL },
      ],
    },
  ],
};
/** Cannot be run: an error is reported. */
const oddSuite = {
  apiVersion: "celadon.dev/v1",
  kind: "TestSuite",
  name: EVIL,
  resources: [EVIL],
  tests: [
    { name: `t${EVIL}`, object: { apiVersion: "v1", kind: "ConfigMap", metadata }, expect: EVIL, user: EVIL },
    { name: 5, [EVIL]: 2, object: EVIL },
  ],
  [EVIL]: 1,
};

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { k: EVIL } };
/** The policies are for one kind of object, so that it is soon known which objects each may see. */
const denying = [
  policy("denying", {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    },
    validations: [
      { expression: "has(object.immutable)", messageExpression: "'m' + object.metadata.annotations.a" },
      { expression: `object.data.k != ${EVIL_LITERAL}` },
    ],
  }),
  binding("denying", "denying"),
];
/** Can be run. Some of its cases pass and some fail. */
const suite = {
  apiVersion: "celadon.dev/v1",
  kind: "TestSuite",
  metadata: { name: EVIL },
  resources: ["denying.json"],
  tests: [
    { name: `allowed${EVIL}`, object: configMap, expect: "allow", user: { username: EVIL, groups: [EVIL] } },
    { name: `denied${EVIL}`, object: configMap, expect: "deny" },
    { name: `message${EVIL}`, object: configMap, expect: { verdict: "deny", message: EVIL } },
    { name: `rejected${EVIL}`, object: { ...configMap, metadata }, expect: "deny" },
  ],
};
const passing = { ...suite, tests: suite.tests.slice(1, 2) };

/** A name that acts as well. */
export const file = "m\nFORGED\u001b[2J.json";
const lines = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join("\n");
export const files: Readonly<Record<string, string>> = {
  [file]: lines(documents),
  "plain.json": lines(documents),
  "suite.yaml": JSON.stringify(suite),
  "passing.yaml": JSON.stringify(passing),
  "odd-suite.yaml": JSON.stringify(oddSuite),
  "denying.json": lines(denying),
  "foreign.yaml": JSON.stringify(foreign),
  [EVIL_WORD]: lines(documents.slice(2)),
  [`dir${file}/denying.json`]: lines(denying),
  [`dir${file}/suite.yaml`]: JSON.stringify(suite),
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
