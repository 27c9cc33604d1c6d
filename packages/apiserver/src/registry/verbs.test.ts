import { expect, test } from "vitest";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

test("an object is created, read, replaced, patched and deleted", async () => {
  const { admin } = await testServer();
  const created = await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { data: { x: "1" } }) });
  expect(created.code).toBe(201);
  const { metadata } = created.json();
  expect(metadata).toMatchObject({ name: "a", namespace: "default", resourceVersion: expect.stringMatching(/^\d+$/) });
  expect(created.json()).toEqual((await admin.call("GET", `${CONFIG_MAPS}/a`)).json());

  const replaced = await admin.call("PUT", `${CONFIG_MAPS}/a`, { body: configMap("a", { data: { x: "2" } }) });
  expect(replaced.json().data).toEqual({ x: "2" });
  expect(replaced.json().metadata.uid).toBe(metadata.uid);
  const patches = [
    ["application/merge-patch+json", { data: { y: "3", x: null } }, { y: "3" }],
    ["application/json-patch+json", [{ op: "add", path: "/data/z", value: "4" }], { y: "3", z: "4" }],
    ["application/strategic-merge-patch+json", { data: { $patch: "replace", w: "5" } }, { w: "5" }],
  ] as const;
  for (const [type, body, data] of patches) {
    const patched = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body });
    expect([patched.code, patched.json().data]).toEqual([200, data]);
  }
  const deleted = await admin.call("DELETE", `${CONFIG_MAPS}/a`);
  expect(deleted.json()).toMatchObject({
    status: "Success",
    details: { name: "a", kind: "configmaps", uid: metadata.uid },
  });
  expect((await admin.call("GET", `${CONFIG_MAPS}/a`)).json().message).toBe('configmaps "a" not found');
});

test("a write that changes nothing leaves the resource version", async () => {
  const { admin } = await testServer();
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { data: { x: "1" } }) })).json();
  const type = "application/merge-patch+json";
  const again = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body: { data: { x: "1" } } });
  expect(again.json().metadata.resourceVersion).toBe(metadata.resourceVersion);
});

test("a stale resource version is a conflict, an absent one is not", async () => {
  const { admin } = await testServer();
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
  await admin.call("PUT", `${CONFIG_MAPS}/a`, { body: configMap("a", { data: { x: "1" } }) });
  const stale = configMap("a", { metadata: { resourceVersion: metadata.resourceVersion } });
  const refused = await admin.call("PUT", `${CONFIG_MAPS}/a`, { body: stale });
  expect(refused.json()).toMatchObject({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  });
});

test("a dry run changes nothing and is not seen by watches", async () => {
  const { admin } = await testServer();
  const dry = await admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body: configMap("a") });
  expect([dry.code, dry.json().metadata.resourceVersion]).toEqual([201, undefined]);
  expect((await admin.call("GET", `${CONFIG_MAPS}/a`)).code).toBe(404);
  expect((await admin.call("POST", `${CONFIG_MAPS}?dryRun=Some`, { body: configMap("a") })).code).toBe(422);
});

test("names are generated", async () => {
  const { admin } = await testServer();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "x-" } };
  const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body })).json();
  expect(metadata.name).toMatch(/^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test("field validation refuses, warns of or ignores unknown fields", async () => {
  const { admin } = await testServer();
  const body = { ...configMap("a"), dat: {} };
  const strict = await admin.call("POST", `${CONFIG_MAPS}?fieldValidation=Strict`, { body });
  expect(strict.json()).toMatchObject({
    code: 400,
    message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
  });
  const warned = await admin.call("POST", CONFIG_MAPS, { body });
  expect([warned.code, warned.warnings]).toEqual([201, ['unknown field "dat"']]);
  const ignored = await admin.call("PUT", `${CONFIG_MAPS}/a?fieldValidation=Ignore`, { body });
  expect([ignored.code, ignored.warnings]).toEqual([200, []]);
});

test("lists are cut into pages of one revision", async () => {
  const { admin } = await testServer();
  for (let i = 0; i < 7; i++) await admin.call("POST", CONFIG_MAPS, { body: configMap(`c${i}`) });
  const names: string[] = [];
  let token = "";
  let revision: string | undefined;
  do {
    const page = (await admin.call("GET", `${CONFIG_MAPS}?limit=3&continue=${token}`)).json();
    names.push(...page.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    revision ??= page.metadata.resourceVersion;
    expect(page.metadata.resourceVersion).toBe(revision);
    token = page.metadata.continue ?? "";
    // What is written meanwhile is not seen.
    await admin.call("POST", CONFIG_MAPS, { body: configMap(`c1-${names.length}`) });
    await admin.call("DELETE", `${CONFIG_MAPS}/c6`);
  } while (token !== "");
  expect(names).toEqual(["c0", "c1", "c2", "c3", "c4", "c5", "c6"]);
});

test("selectors choose by labels and fields", async () => {
  const { admin } = await testServer();
  for (const [name, tier] of [
    ["a", "web"],
    ["b", "db"],
    ["c", "web"],
  ] as const) {
    await admin.call("POST", CONFIG_MAPS, { body: configMap(name, { metadata: { labels: { tier } } }) });
  }
  const cases = [
    ["labelSelector=tier%3Dweb", ["a", "c"]],
    ["labelSelector=tier%20notin%20(web)", ["b"]],
    ["fieldSelector=metadata.name%3Db", ["b"]],
    ["labelSelector=tier%3Dweb&fieldSelector=metadata.name!%3Da", ["c"]],
  ] as const;
  for (const [query, want] of cases) {
    const { items } = (await admin.call("GET", `${CONFIG_MAPS}?${query}`)).json();
    expect(
      items.map((item: { metadata: { name: string } }) => item.metadata.name),
      query,
    ).toEqual(want);
  }
  expect((await admin.call("GET", `${CONFIG_MAPS}?fieldSelector=data.x%3D1`)).json()).toMatchObject({
    code: 400,
    message: "field label not supported: data.x",
  });
  expect((await admin.call("GET", `${CONFIG_MAPS}?labelSelector=a%20b`)).code).toBe(400);
});

test("what is not served is not found, what is not allowed is refused", async () => {
  const { admin } = await testServer();
  expect(await admin.call("GET", "/apis/nowhere/v1/things")).toMatchObject({ code: 404, text: "404 page not found\n" });
  expect((await admin.call("PUT", CONFIG_MAPS, { body: {} })).json()).toMatchObject({
    code: 405,
    reason: "MethodNotAllowed",
  });
  const patch = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type: "text/plain", body: "x" });
  expect(patch.json()).toMatchObject({ code: 415, reason: "UnsupportedMediaType" });
});
