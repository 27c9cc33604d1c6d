// The controller against an API server in this process. Run it with `npx vitest run examples/node-controller`.

// For Node 20 alone: client-node asks for 22.
import "../../packages/apiserver/src/e2e/old-node.testing.ts";
import { startServer } from "@celadon/apiserver/testing";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startController } from "./controller.mjs";

let server;
let core;
let controller;

beforeAll(async () => {
  server = await startServer();
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  controller = await startController(config);
});
// The informer notices that its watch ended, and lists again.
beforeEach(() => server.reset());
afterAll(async () => {
  await controller.stop();
  await server.close();
});

const namespace = (labels) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels } });
const team = async () => (await core.readNamespacedConfigMap({ namespace: "shop", name: "team" })).data?.team;
const eventually = (wanted) => vi.waitFor(async () => expect(await team()).toBe(wanted), { timeout: 10_000 });

test("a namespace with a team gets its ConfigMap", async () => {
  await server.apply(namespace({ team: "green" }));
  await eventually("green");
});

test("the ConfigMap follows the label", async () => {
  await server.apply(namespace({ team: "green" }));
  await eventually("green");
  await server.apply(namespace({ team: "blue" }));
  await eventually("blue");
});

test("a namespace without a team gets none", async () => {
  await server.apply([
    namespace({}),
    { ...namespace({ team: "red" }), metadata: { name: "other", labels: { team: "red" } } },
  ]);
  await vi.waitFor(() => core.readNamespacedConfigMap({ namespace: "other", name: "team" }), { timeout: 10_000 });
  await expect(team()).rejects.toMatchObject({ code: 404 });
});
