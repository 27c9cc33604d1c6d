// Command lines that together bring out every field of every kind of document, over examples/ and a few files that are wrong on purpose.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "@celadon/apiserver/testing";
import { openLmdb } from "@celadon/storage/lmdb";
import { onTestFinished } from "vitest";
import { runLine } from "../../../apps/cli/src/io.testing.ts";
import { ROOT } from "./pages.ts";

const EXAMPLES = readFiles("examples");

function readFiles(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, folder, name), "utf8")]));
}

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: images }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], resources: [pods, pods/ephemeralcontainers], operations: [CREATE, UPDATE] }
  matchConditions: [{ name: named, expression: object.metadata.name != 'x' }]
  variables: [{ name: images, expression: "object.spec.containers.map(c, c.image)" }]
  validations:
    - { expression: "variables.images.all(i, i.startsWith('good/'))", reason: Forbidden, messageExpression: string(object.metadata.name) }
    - { expression: object.spec.securityContext.runAsNonRoot == true }
    - { expression: "object.spec.containers.filter(c, c.image.startsWith('bad/')) == []" }
  auditAnnotations: [{ key: images, valueExpression: string(size(variables.images)) }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: images }
spec: { policyName: images, validationActions: [Warn, Audit] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: nowhere }
spec: { policyName: nothing, validationActions: [Deny] }
`;

const WHOLE = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: unchanged }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [UPDATE] }]
  validations: [{ expression: object == oldObject }]
`;

const POD = `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: shop, uid: 7a, labels: { team: shop } }
spec: { containers: [{ name: web, image: bad/web }, { name: b, image: good/b }] }
`;

const COSTLY = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lists.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: lists, singular: list, kind: Names, listKind: NamesList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            names:
              type: array
              items: { type: string }
              x-kubernetes-validations: [{ rule: "self.all(a, self.exists_one(b, a == b))" }]
`;

const MUTATING = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: labels }
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }] }
  failurePolicy: Ignore
  reinvocationPolicy: IfNeeded
  mutations:
    - { patchType: ApplyConfiguration, applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'team': string(params.data.team), 'b': 'c'}}}" } }
    - { patchType: JSONPatch, jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/metadata/labels/b'}]" } }
    - { patchType: JSONPatch, jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/metadata/labels/b'}]" } }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: labels }
spec: { policyName: labels, paramRef: { name: team, parameterNotFoundAction: Deny } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: team, namespace: shop }, data: { team: till } }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: hooks }
webhooks:
  - name: side.example.com
    clientConfig: { url: "https://side.example.com" }
    sideEffects: None
    admissionReviewVersions: [v1]
    rules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }]
`;

const PARAMS_UNKNOWN = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: quotas }
spec:
  paramKind: { apiVersion: example.com/v1, kind: Quota }
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }] }
  validations: [{ expression: size(object.spec.containers) <= params.most }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: quotas }
spec: { policyName: quotas, validationActions: [Deny], paramRef: { name: quota, parameterNotFoundAction: Deny } }
`;

const PARAMS_MISSING = PARAMS_UNKNOWN.replace("example.com/v1, kind: Quota", "v1, kind: ConfigMap").replace(
  "params.most",
  "int(params.data.most)",
);

const FAILING = `apiVersion: celadon.dev/v1
kind: TestSuite
metadata: { name: failing }
resources: [policy.yaml]
objects: [pod.yaml]
tests:
  - { name: unmatched, object: web, operation: DELETE, expect: deny }
  - { name: nothing expected, object: web }
  - { name: refuted, prove: { that: 'false' } }
`;

const FILES: Readonly<Record<string, string>> = {
  ...EXAMPLES,
  "wrong/policy.yaml": POLICY,
  "wrong/pod.yaml": POD,
  "mutating/policy.yaml": MUTATING,
  "mutating/answers.yaml": "side.example.com: { patch: [{ op: add, path: /metadata/annotations, value: { a: b } }] }",
  "wrong/params.yaml": PARAMS_UNKNOWN,
  "missing/params.yaml": PARAMS_MISSING,
  "wrong/whole.yaml": WHOLE,
  "wrong/service.yaml":
    "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { trafficDistribution: PreferClose, ports: [{ port: 80 }], externalIPs: [010.2.3.4] }\n---\n" +
    "apiVersion: v1\nkind: Pod\nmetadata: { name: b }\nspec: { resources: { requests: { cpu: 1 } }, containers: [{ name: b, image: b }] }\n",
  "wrong/definition.yaml": EXAMPLES["crd/definition.yaml"]!.replace("minimum: 1", "minimum: 10").replace(
    "required: [partitions]",
    "required: [partitions, owner]",
  ),
  "wrong/costly.yaml": COSTLY,
  "wrong/tests.yaml": FAILING,
  "wrong/queue.yaml": EXAMPLES["crd/queue.yaml"]!.replace("partitions: 8", "partitions: 4").replace("fast", "slow"),
  "wrong/request.yaml": EXAMPLES["certificates/request.yaml"]!.replace("720h", "8760h"),
  "wrong/next.yaml": EXAMPLES["trusted-images/policy.yaml"]!.replace("registry: registry", "registry: images"),
  "wrong/never.yaml": EXAMPLES["trusted-images/policy.yaml"]!.replace('["pods", "pods/ephemeralcontainers"]', "[pod]"),
  "access/jane.json": readFileSync(join(ROOT, "examples/access/jane.json"), "utf8"),
  "access/review.json": readFileSync(join(ROOT, "examples/access/review.json"), "utf8"),
  "access/broken.yaml": EXAMPLES["access/authorization.yaml"]!.replace("has(request.resourceAttributes)", "1 / 0 == 1"),
  "devices/typo.yaml": EXAMPLES["devices/devices.yaml"]!.replace(".model ==", ".modle =="),
  "devices/class.yaml": EXAMPLES["devices/devices.yaml"]!.replace("deviceClassName: large-gpu", "deviceClassName: gpu"),
  "access/nobody.json": '{"sub": "nobody"}',
  "broken.yaml": "kind: [\n",
  "configured/celadon.yaml":
    "apiVersion: celadon.dev/v1\nkind: Configuration\noverrides: [{ paths: [legacy/], unknownKinds: ignore }]\n",
};

// biome-ignore format: one line per command
const LINES: Readonly<Record<string, readonly string[]>> = {
  CheckReport: [
    "check -f trusted-images/policy.yaml",
    "check -f trusted-images -f webhooks/webhook.yaml -f wrong/policy.yaml -f wrong/pod.yaml --playground http://127.0.0.1:7780/",
    "check -f crd/definition.yaml -f wrong/queue.yaml --old crd/queue.yaml",
    "check -f mutating/policy.yaml -f wrong/pod.yaml --webhook-answers mutating/answers.yaml",
    "check -f wrong/params.yaml -f wrong/pod.yaml",
    "check -f missing/params.yaml -f wrong/pod.yaml",
    "check -f wrong/never.yaml -f wrong/pod.yaml",
    "check -f certificates/policy.yaml -f wrong/request.yaml --as kate",
    "check -f webhooks/webhook.yaml -f wrong/pod.yaml --as node --as-group system:nodes --operation UPDATE --subresource status",
  ],
  Explanation: [
    "explain -f trusted-images -f wrong/policy.yaml -f wrong/pod.yaml Pod/checkout Pod/web",
    "explain -f crd/definition.yaml -f wrong/queue.yaml Queue/orders",
    "explain -f certificates/policy.yaml -f wrong/request.yaml --as kate CertificateRequest/web",
  ],
  TestReport: ["test trusted-images wrong/tests.yaml --coverage --playground http://127.0.0.1:7780/", "test trusted-images --mutate --mutate-sample 20"],
  Evaluation: ["eval 1+2", "eval 1/0", "eval 1+", "eval size=1"],
  AuthenticationReport: [
    "authenticate access/authentication.yaml --claims access/jane.json",
    "authenticate access/authentication.yaml --claims access/nobody.json",
  ],
  AuthorizationReport: [
    "authorize access/authorization.yaml --review access/review.json",
    "authorize access/broken.yaml --review access/review.json",
  ],
  DeviceReport: ["devices devices/devices.yaml", "devices devices/typo.yaml", "devices devices/class.yaml"],
  LintReport: ["lint -f trusted-images -f wrong/policy.yaml -f wrong/costly.yaml"],
  LintCodes: ["lint --list"],
  FuzzReport: ["fuzz -f wrong/policy.yaml --runs 50"],
  ProofReport: [
    "prove -f trusted-images -f wrong/policy.yaml --time 300",
    "prove --old trusted-images -f wrong/policy.yaml --time 300",
    'prove -f trusted-images --time 300 --that true --that false --that authorizer.path("/a").check("x").allowed()',
  ],
  FormatReport: ["fmt --check trusted-images/policy.yaml", "fmt --check broken.yaml"],
  AutogenReport: ["autogen -f trusted-images/policy.yaml -f wrong/policy.yaml -f wrong/whole.yaml"],
  ConfigurationReport: ["config --config configured/celadon.yaml configured/legacy/a.yaml"],
  CostReport: ["cost -f wrong/policy.yaml -f wrong/pod.yaml -f wrong/costly.yaml --over 0", "cost -f crd"],
  DiffReport: ["diff trusted-images/policy.yaml wrong/next.yaml -f trusted-images/pod.yaml", "diff wrong/policy.yaml -f wrong/pod.yaml"],
  VersionDiffReport: ["diff --kube-version 1.30..1.37 -f wrong/policy.yaml -f wrong/pod.yaml -f wrong/service.yaml"],
  UpgradeReport: ["crd upgrade crd/definition.yaml wrong/definition.yaml -f crd/queue.yaml"],
  PolicyCatalogue: ["init"],
  Version: ["version"],
};

/** Command lines that need more than files. */
const PREPARED: Readonly<Record<string, () => Promise<string>>> = {
  StoreReport: async () => `store check ${await damagedStore()}`,
  AuditReport: async () => `audit --kubeconfig ${await cluster()} -n default -n kube-system`,
};

export const KINDS: readonly string[] = [...Object.keys(LINES), ...Object.keys(PREPARED)];

/** The documents of a kind, one for each command line. */
export async function documentsOf(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const prepared = PREPARED[kind];
  const lines = prepared === undefined ? (LINES[kind] ?? []) : [await prepared()];
  return Promise.all(
    lines.map(async (line) => {
      const { stdout, stderr } = await runLine([...line.split(" "), "-o", "json"], { files: FILES, tick: 1 });
      try {
        return JSON.parse(stdout) as Record<string, unknown>;
      } catch {
        throw new Error(`celadon ${line}: no document\n${stderr}`);
      }
    }),
  );
}

/** A store on disk that is damaged, as a file. */
async function damagedStore(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "celadon-report-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const store = await openLmdb(directory);
  await store.write([{ op: "put", key: "/a", value: Buffer.alloc(5_000, "x") }]);
  await store.close();
  const file = join(directory, "data.mdb");
  const content = readFileSync(file);
  content[content.indexOf("xxxxx") + 100] = 0;
  writeFileSync(file, content);
  return file;
}

/** A cluster with an object that a policy denies, for somebody who may not read everything. */
async function cluster(): Promise<string> {
  const server = await startServer({
    tokens: { reader: { username: "reader" } },
    manifests: [POLICY, WHOLE, POD.replace("shop", "default").replace("uid: 7a, ", ""), READER],
  });
  onTestFinished(() => server.close());
  const directory = mkdtempSync(join(tmpdir(), "celadon-report-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "kubeconfig");
  const ca = Buffer.from(server.caCertificate).toString("base64");
  const config = {
    clusters: [{ name: "c", cluster: { server: server.url, "certificate-authority-data": ca } }],
    users: [{ name: "r", user: { token: "reader" } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "r" } }],
    "current-context": "c",
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const READER = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - { apiGroups: [admissionregistration.k8s.io], resources: ["*"], verbs: [list] }
  - { apiGroups: [""], resources: [namespaces], verbs: [list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: reader }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: reader, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: reader }]
`;
