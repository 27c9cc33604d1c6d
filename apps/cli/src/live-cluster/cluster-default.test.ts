// Commands that read a cluster emulate its version unless a flag names another.

import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

let server: TestServer;
let kubeconfig: string;
beforeAll(async () => {
  server = await startServer({
    kubeVersion: "1.31",
    manifests: ["{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }"],
  });
  kubeconfig = server.kubeconfigFile;
});
afterAll(() => server.close());

// The function `first` came with 1.33; servers accept it for new policies one version later.
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: any }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
  validations: [{ expression: "[1].first().value() == 1" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: any }
spec: { policyName: any, validationActions: [Deny] }
`;

async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const line = [...argv, "-f", "policy.yaml", "--kubeconfig", kubeconfig];
  const { code, stdout, stderr } = await runLine(line, { files: { "policy.yaml": POLICY } });
  return { code, text: `${stdout}${stderr}` };
}

test.each([["audit"], ["check", "--cluster"], ["cost", "--cluster"]])("%s %s", async (...argv) => {
  const { code, text } = await run(...argv);
  expect(text).toContain("emulating Kubernetes 1.31, the cluster's version");
  expect(text).toMatch(/undeclared reference to 'first'|any was rejected/);
  expect(code).toBe(1);
  const newer = await run(...argv, "--kube-version", "1.37");
  expect(newer.text).not.toContain("emulating");
  expect(newer.text).not.toMatch(/undeclared reference|rejected/);
  expect(newer.code).toBe(0);
});
