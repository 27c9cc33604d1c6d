import { expect, test } from "vitest";
import { LocalClient, type LocalWatch } from "../client/local-client.ts";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

const MERGE = "application/merge-patch+json";

async function take(watch: LocalWatch, count: number): Promise<string[]> {
  const told: string[] = [];
  for (let i = 0; i < count; i++) {
    const event = await watch.next();
    told.push(
      event === undefined ? "end" : `${event.type} ${event.object.metadata?.name ?? event.object.reason ?? ""}`.trim(),
    );
  }
  return told;
}

test("a watch begins with the current objects, or after a version", async () => {
  const { admin } = await testServer();
  const first = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("b") });
  const all = await admin.watch(`${CONFIG_MAPS}?watch=true`);
  const later = await admin.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${first.metadata.resourceVersion}`);
  await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type: MERGE, body: { data: { x: "1" } } });
  await admin.call("DELETE", `${CONFIG_MAPS}/b`);
  expect(await take(all, 4)).toEqual(["ADDED a", "ADDED b", "MODIFIED a", "DELETED b"]);
  expect(await take(later, 3)).toEqual(["ADDED b", "MODIFIED a", "DELETED b"]);
});

test("a deletion carries the last state under the revision of the deletion", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { data: { x: "1" } }) });
  const watch = await admin.watch(`${CONFIG_MAPS}?watch=true`);
  await admin.call("DELETE", `${CONFIG_MAPS}/a`);
  const [added, deleted] = [await watch.next(), await watch.next()];
  expect(deleted!.object.data).toEqual({ x: "1" });
  expect(Number(deleted!.object.metadata.resourceVersion)).toBeGreaterThan(
    Number(added!.object.metadata.resourceVersion),
  );
});

test("a selector turns what enters and leaves it into additions and deletions", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { metadata: { labels: { on: "no" } } }) });
  const watch = await admin.watch(`${CONFIG_MAPS}?watch=true&labelSelector=on%3Dyes`);
  for (const on of ["yes", "yes2", "yes", "no"]) {
    await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type: MERGE, body: { metadata: { labels: { on } } } });
  }
  await admin.call("DELETE", `${CONFIG_MAPS}/a`);
  await admin.call("POST", CONFIG_MAPS, { body: configMap("b", { metadata: { labels: { on: "yes" } } }) });
  expect(await take(watch, 5)).toEqual(["ADDED a", "DELETED a", "ADDED a", "DELETED a", "ADDED b"]);
});

test("a watch list ends its first part with a bookmark", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watch = await admin.watch(`${CONFIG_MAPS}?${query}`);
  expect(await take(watch, 1)).toEqual(["ADDED a"]);
  const bookmark = await watch.next();
  expect(bookmark).toEqual({
    type: "BOOKMARK",
    object: {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { resourceVersion: expect.any(String), annotations: { "k8s.io/initial-events-end": "true" } },
    },
  });
});

test("a watch after a version that is to come waits for what follows it", async () => {
  const { admin } = await testServer();
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
  const after = Number(metadata.resourceVersion) + 1;
  const watch = await admin.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${after}`);
  await admin.call("POST", CONFIG_MAPS, { body: configMap("b") });
  await admin.call("POST", CONFIG_MAPS, { body: configMap("c") });
  expect(await take(watch, 1)).toEqual(["ADDED c"]);
  watch.close();
});

test("a watch that begins with the objects of a version to come fails", async () => {
  const { admin } = await testServer();
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999999";
  const watch = await admin.watch(`${CONFIG_MAPS}?${query}`);
  expect(await watch.next()).toMatchObject({
    type: "ERROR",
    object: { code: 504, reason: "Timeout", message: expect.stringContaining("Too large resource version: 99999999") },
  });
});

test("history reaches back through the store, until it is compacted", async () => {
  const { admin, server } = await testServer();
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("b") });
  await admin.call("DELETE", `${CONFIG_MAPS}/a`);
  // After a start, the cache knows only the present objects.
  const handler = server.services.handler(server.kinds.resource("", "v1", "configmaps")!);
  handler.cache.reset();
  const resumed = await admin.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  expect(await take(resumed, 2)).toEqual(["ADDED b", "DELETED a"]);
  handler.cache.reset();
  await server.objects.store.compact(server.objects.feed.revision);
  const late = await admin.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const error = await late.next();
  expect(error).toMatchObject({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
  expect(await late.next()).toBeUndefined();
});

test("writes while history is read are not missed", async () => {
  const { admin, server } = await testServer();
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("b") });
  // So that the last change of the store is of another kind.
  await admin.call("POST", "/api/v1/namespaces/default/secrets", {
    body: { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
  });
  const handler = server.services.handler(server.kinds.resource("", "v1", "configmaps")!);
  handler.cache.reset();
  const slow = new LocalClient(
    {
      async serve(call) {
        const served = await server.serve(call);
        await admin.call("POST", CONFIG_MAPS, { body: configMap("c") });
        return served;
      },
    },
    { username: "admin", groups: ["system:masters"] },
  );
  const watch = await slow.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  await admin.call("POST", CONFIG_MAPS, { body: configMap("d") });
  expect(await take(watch, 3)).toEqual(["ADDED b", "ADDED c", "ADDED d"]);
});

test("of two who apply an object that is not there, one creates it and the other changes it", async () => {
  const { admin } = await testServer();
  const apply = (manager: string) =>
    admin.call("PATCH", `${CONFIG_MAPS}/new?fieldManager=${manager}`, {
      type: "application/apply-patch+yaml",
      body: configMap("new", { data: { [manager]: "yes" } }),
    });
  const replies = await Promise.all(["one", "two", "three"].map(apply));
  expect(replies.map(({ code }) => code).sort()).toEqual([200, 200, 201]);
  expect((await admin.call("GET", `${CONFIG_MAPS}/new`)).json().data).toEqual({ one: "yes", two: "yes", three: "yes" });
});
