// The webhook against an API server in this process. That server enforces policies itself, so those here are of our own group, which
// it takes for objects like any other.

import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OWN_GROUP } from "./policy-objects.ts";
import { WebhookProgram } from "./program.ts";

const definition = (plural: string, kind: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${OWN_GROUP} }
spec:
  group: ${OWN_GROUP}
  scope: Cluster
  names: { plural: ${plural}, kind: ${kind} }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    manifests: [
      definition("validatingadmissionpolicies", "ValidatingAdmissionPolicy"),
      definition("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"),
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "celadon" } },
    ],
  });
});
afterAll(() => server.close());

const policy = (expression: string, spec: object = {}): KubeObject => ({
  apiVersion: `${OWN_GROUP}/v1`,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "no-bad" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    },
    validations: [{ expression, message: "no bad data" }],
    ...spec,
  },
});
const binding: KubeObject = {
  apiVersion: `${OWN_GROUP}/v1`,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "no-bad" },
  spec: { policyName: "no-bad", validationActions: ["Deny"] },
};
const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" } as const;
const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingwebhookconfigurations",
} as const;

test("a policy is enforced from its configuration on, kept right, and lifted again", async () => {
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  // The port is known once it listens; the address has to be there before.
  const port = 20_000 + (process.pid % 20_000);
  const logged: string[] = [];
  const program = new WebhookProgram(api, {
    host: "127.0.0.1",
    port,
    sources: [{ group: OWN_GROUP, version: "v1" }],
    configuration: {
      name: "celadon-webhook",
      address: { url: `https://127.0.0.1:${port}` },
      ownNamespace: "celadon",
      excludeNamespaces: [],
      safeMode: false,
      timeoutSeconds: 5,
    },
    certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
    lease: "celadon-webhook",
    log: (_, message) => logged.push(message),
  });
  await program.start();
  const create = (name: string, namespace = "default"): Promise<string> =>
    api
      .create(
        CONFIG_MAPS,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { bad: "1" } },
        { namespace, dryRun: true },
      )
      .then(
        () => "created",
        (error: Error) => error.message,
      );
  try {
    expect(await create("before")).toBe("created");
    await server.apply([policy("!('bad' in object.data)"), binding]);
    const denied = `admission webhook "fail-equivalent.validate.celadon.dev" denied the request: configmaps "x" is forbidden: ValidatingAdmissionPolicy 'no-bad' with binding 'no-bad' denied request: no bad data`;
    await expect.poll(() => create("x"), { timeout: 15_000 }).toBe(denied);
    // Its own namespace stays open, so that it can be repaired.
    expect(await create("x", "celadon")).toBe("created");

    // Somebody opens the door by hand; it is closed again.
    await api.delete(CONFIGURATIONS, { name: "celadon-webhook" });
    await expect.poll(() => create("x"), { timeout: 15_000 }).toBe(denied);

    // A policy that is no policy is said so, and enforced no more.
    await server.apply([policy("object.", {})]);
    await expect.poll(() => create("x"), { timeout: 15_000 }).toBe("created");
    expect(
      logged.some((line) => line.startsWith("ValidatingAdmissionPolicy no-bad was rejected, so it is not enforced")),
    ).toBe(true);
    expect(program.metrics.text()).toContain(
      'celadon_webhook_reviews_total{operation="CREATE",group="",resource="configmaps",verdict="denied"}',
    );
  } finally {
    await program.stop();
    api.close();
  }
});
