import { startServer } from "@celadon/apiserver/testing";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import { expect, onTestFinished, test } from "vitest";
import { WatchedNamespaces } from "./watched-namespaces.ts";

test("a namespace that is not known yet is waited for, and one that never comes is not", async () => {
  const server = await startServer();
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  const namespaces = new WatchedNamespaces(api, { failed: () => {}, waitMs: 20_000 });
  const impatient = new WatchedNamespaces(api, { failed: () => {}, waitMs: 1 });
  onTestFinished(async () => {
    await Promise.all([namespaces.reflector.stop(), impatient.reflector.stop()]);
    api.close();
    await server.close();
  });
  namespaces.reflector.start();
  await namespaces.reflector.synced;
  expect(namespaces.namespace("default")).toMatchObject({ metadata: { name: "default" } });
  const waiting = [namespaces.namespace("late"), namespaces.namespace("late")];
  await server.apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name: "late", labels: { team: "a" } } }]);
  const late = { metadata: { name: "late", labels: { team: "a" } } };
  expect(await Promise.all(waiting)).toMatchObject([late, late]);
  expect(await impatient.namespace("never")).toBeUndefined();
});
