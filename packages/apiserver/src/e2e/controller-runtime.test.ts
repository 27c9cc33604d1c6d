// A Go controller on controller-runtime against a server that listens: the example in examples/go-controller, which is built with
// `go build -o websites .` there. CONTROLLER names the program; without it the test is skipped.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startServer, type TestServer } from "../testing/index.ts";

const example = fileURLToPath(new URL("../../../../examples/go-controller/", import.meta.url));
const program = process.env.CONTROLLER ?? `${example}websites`;
const isBuilt = existsSync(program);
if (!isBuilt) test.skip("the Go controller is not built: see examples/go-controller", () => {});

const WEBSITES = "/apis/example.com/v1/namespaces/default/websites";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const website = (name: string, spec: object) => ({
  apiVersion: "example.com/v1",
  kind: "Website",
  metadata: { name },
  spec,
});

describe.runIf(isBuilt)("a manager of controller-runtime", () => {
  let server: TestServer;
  let controller: ChildProcess;
  beforeAll(async () => {
    server = await startServer({ manifests: readFileSync(`${example}crd.yaml`, "utf8") });
    controller = spawn(program, [], { env: { ...process.env, KUBECONFIG: server.kubeconfigFile }, stdio: "ignore" });
  });
  afterAll(async () => {
    controller?.kill();
    await server?.close();
  });

  const get = async (path: string) => (await server.client.call("GET", path)).json();
  const until = (isTrue: () => Promise<void>) => vi.waitFor(isTrue, { timeout: 100_000, interval: 100 });

  test("reconciles: dependents, status, events, finalizers", async () => {
    await server.client.call("POST", WEBSITES, { body: website("blog", { image: "blog:1" }) });
    await until(async () => {
      const { status, metadata } = await get(`${WEBSITES}/blog`);
      expect(status).toMatchObject({ observedGeneration: 1, conditions: [{ type: "Deployed", status: "True" }] });
      expect(metadata.finalizers).toEqual(["websites.example.com/goodbye"]);
    });
    const deployment = await get(`${DEPLOYMENTS}/blog`);
    expect(deployment.spec).toMatchObject({ replicas: 1, template: { spec: { containers: [{ image: "blog:1" }] } } });
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: "Website", name: "blog", controller: true }]);

    const change = { body: { spec: { image: "blog:2", replicas: 3 } }, type: "application/merge-patch+json" };
    await server.client.call("PATCH", `${WEBSITES}/blog`, change);
    await until(async () => expect((await get(`${DEPLOYMENTS}/blog`)).spec.replicas).toBe(3));
    await until(async () => {
      const { items } = await get("/apis/events.k8s.io/v1/namespaces/default/events");
      expect(items.map((event: { reason: string }) => event.reason)).toContain("Deployed");
    });
    const { spec } = await get("/apis/coordination.k8s.io/v1/namespaces/default/leases/websites");
    expect(spec.holderIdentity).not.toBe("");

    await server.client.call("DELETE", `${WEBSITES}/blog`);
    await until(async () => {
      expect((await server.client.call("GET", `${WEBSITES}/blog`)).code).toBe(404);
      expect((await server.client.call("GET", `${DEPLOYMENTS}/blog`)).code).toBe(404);
    });
  });

  test("learns from its status what a policy denies", async () => {
    await server.apply(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - expression: "!object.spec.template.spec.containers.exists(c, c.image.endsWith(':latest'))"
    message: name a version
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
`);
    await server.client.call("POST", WEBSITES, { body: website("shop", { image: "shop:latest" }) });
    await until(async () => {
      const [condition] = (await get(`${WEBSITES}/shop`)).status.conditions;
      expect(condition).toMatchObject({ status: "False", message: expect.stringContaining("name a version") });
    });
  });
});
