// `celadon why` against a live API server, in this process.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine } from "../../io.testing.ts";
// Loaded before the clock of a test runs.
import "./why.ts";

const pod = (name: string, namespace: string, image: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: ${namespace} }
spec: { containers: [{ name: c, image: "${image}" }] }
`;

const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-latest }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: "latest moves" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-latest }
spec:
  policyName: no-latest
  validationActions: [Deny]
  matchResources: { namespaceSelector: { matchLabels: { strict: "yes" } } }
`;

let server: TestServer;
let kubeconfig: string;
beforeAll(async () => {
  server = await startServer({
    tokens: { nobody: { username: "nobody" } },
    manifests: [
      "{ apiVersion: v1, kind: Namespace, metadata: { name: shop, labels: { strict: 'yes' } } }",
      pod("old", "shop", "a:latest"),
      pod("good", "shop", "a:1"),
      pod("elsewhere", "default", "a:latest"),
      `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: "a:latest" }] }
`,
    ],
  });
  await server.apply(POLICY);
  kubeconfig = server.kubeconfigFile;
}, 60_000);
afterAll(() => server?.close());

const why = (line: string): ReturnType<typeof runLine> =>
  runLine(["why", ...line.split(" "), "--kubeconfig", kubeconfig]);

// biome-ignore format: one case per line
const cases = [
  { line: "deny pod/old -n shop",           code: 0, says: [/^Pod shop\/old {2}CREATE/m, /^denied, 422 Invalid$/m, /c\.image → "a:latest"/] },
  { line: "po old -n shop",                 code: 0, says: [/^denied/m] },
  { line: "deny pods.v1./good -n shop",      code: 0, says: [/^allowed$/m, /✓ validations\[0\]/] },
  { line: "allow pod/elsewhere",            code: 0, says: [/^allowed$/m, /namespaceSelector .* does not select namespace 'default'/] },
  { line: "deny deploy/web -n shop",        code: 0, says: [/^Deployment shop\/web/m, /^Pod shop\/web-\S* {2}CREATE by system:serviceaccount:kube-system:replicaset-controller/m, /^denied/m] },
  { line: "deny pod/old -n shop --operation UPDATE", code: 0, says: [/^allowed$/m] },
];
test.each(cases)("$line", async ({ line, code, says }) => {
  const ran = await why(line);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code });
  for (const pattern of says) expect(ran.stdout).toMatch(pattern);
});

// biome-ignore format: one case per line
const mistakes = [
  { line: "deny",                      says: "no object given" },
  { line: "deny pod",                  says: 'no name after "pod"' },
  { line: "deny pod/a/b",              says: '"pod/a/b" is not TYPE/NAME' },
  { line: "deny pdo/old",              says: 'the cluster has no resource type "pdo"; did you mean' },
  { line: "deny pod/nowhere",          says: 'the cluster has no pod "nowhere" in namespace default' },
  { line: "deny pod/old -n shop --policy no-lates", says: 'did you mean "no-latest"?' },
];
test.each(mistakes)("$line is a mistake", async ({ line, says }) => {
  const { code, stderr } = await why(line);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test("without permission", async () => {
  const file = join(dirname(kubeconfig), "nobody");
  const { url, caCertificate } = server;
  const cluster = { server: url, "certificate-authority-data": Buffer.from(caCertificate).toString("base64") };
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: "nobody" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  const { code, stderr } = await runLine(["why", "pod/old", "--kubeconfig", file]);
  expect(code).toBe(2);
  expect(stderr).toContain("no permission to read validatingadmissionpolicies");
});
