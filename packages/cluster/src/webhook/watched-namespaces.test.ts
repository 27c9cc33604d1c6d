import { startServer } from "@celadon/apiserver/testing";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import { expect, onTestFinished, test } from "vitest";
import { WatchedNamespaces } from "./watched-namespaces.ts";

test("a namespace that is not known yet is asked for, and one that does not exist is not waited for", async () => {
  const server = await startServer();
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  const namespaces = new WatchedNamespaces(api, { failed: () => {}, waitMs: 20_000 });
  // Its watch is not started: it knows nothing by itself.
  const late = new WatchedNamespaces(api, { failed: () => {}, waitMs: 20_000 });
  onTestFinished(async () => {
    await Promise.all([namespaces.reflector.stop(), late.reflector.stop()]);
    api.close();
    await server.close();
  });
  namespaces.reflector.start();
  await namespaces.reflector.synced;
  expect(namespaces.namespace("default")).toMatchObject({ metadata: { name: "default" } });
  const known = { metadata: { name: "default" } };
  expect(await Promise.all([late.namespace("default"), late.namespace("default")])).toMatchObject([known, known]);
  const started = performance.now();
  expect(await namespaces.namespace("never")).toBeUndefined();
  expect(await namespaces.namespace("x,metadata.name=default")).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("requests that wait for namespaces are bounded", async () => {
  const server = await startServer();
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  const namespaces = new WatchedNamespaces(api, { failed: () => {}, waitMs: 50 });
  onTestFinished(async () => {
    api.close();
    await server.close();
  });
  const answers = Array.from({ length: 200 }, (_, i) => namespaces.namespace(`no-${i}`));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(136);
  expect(await Promise.all(answers)).toEqual(answers.map(() => undefined));
});
