// Fields that a write does not name keep their bytes in every store, through a backup and its restoration, and through a conversion webhook.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toExactJson, toJson } from "@celadon/base";
import { readJson } from "@celadon/kube/read";
import type { Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { backupLmdb, openLmdb, restoreLmdb } from "@celadon/storage/lmdb";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { LocalClient } from "../client/local-client.ts";
import { createPki } from "../pki/authority.ts";
import { testServer } from "../server.testing.ts";
import { members, thingsDefinition } from "./kept-bytes.testing.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/namespaces/default/things";
const SECOND = THINGS.replace("v1", "v2");
const MERGE_PATCH = "application/merge-patch+json";
const label = { metadata: { labels: { x: "y" } } };

const samples = (): readonly (readonly [name: string, data: object])[] =>
  fc.sample(members, { numRuns: 25, seed: 28 }).map((data, i) => [`thing-${i}`, data]);

async function fill(admin: LocalClient, conversion?: object): Promise<void> {
  expect((await admin.call("POST", DEFINITIONS, { body: thingsDefinition(conversion) })).code).toBe(201);
  for (const [name, data] of samples()) {
    const body = toExactJson({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec: { data } });
    expect((await admin.call("POST", THINGS, { body })).code).toBe(201);
    expect((await admin.call("PATCH", `${THINGS}/${name}`, { type: MERGE_PATCH, body: label })).code).toBe(200);
  }
}

async function check(admin: LocalClient, path: string): Promise<void> {
  for (const [name, data] of samples()) {
    expect((await admin.call("GET", `${path}/${name}`)).text).toContain(`"data":${toJson(data)}`);
  }
}

/** Fills the store with one server, and reads with another. */
async function throughRestart(first: Store, reopen: () => Promise<Store>): Promise<void> {
  const writing = await testServer({ store: first });
  await fill(writing.admin);
  await writing.server.close();
  const { server, admin } = await testServer({ store: await reopen() });
  onTestFinished(() => server.close());
  await check(admin, THINGS);
  // A change of an object that was read back keeps the rest too.
  for (const [name] of samples()) {
    const body = { metadata: { annotations: { again: "yes" } } };
    expect((await admin.call("PATCH", `${THINGS}/${name}`, { type: MERGE_PATCH, body })).code).toBe(200);
  }
  await check(admin, THINGS);
}

test("LMDB, and a restored backup of it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "celadon-kept-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [store, backup, restored] = ["store", "a.backup", "restored"].map((name) => join(directory, name));
  await throughRestart(await openLmdb(store!), async () => {
    await backupLmdb(store!, backup!);
    await restoreLmdb(backup!, restored!);
    return openLmdb(restored!);
  });
});

test.skipIf(findEtcd() === undefined)("etcd (skipped where it is not installed)", async () => {
  const member = await startEtcd();
  onTestFinished(() => member.remove());
  const open = () => openEtcd({ endpoints: [member.endpoint] });
  await throughRestart(await open(), open);
});

test("a conversion webhook that keeps every field", async () => {
  const pki = createPki(["127.0.0.1"]);
  const hook = createServer({ key: pki.serverKey, cert: pki.serverCertificate }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {
      apiVersion,
      kind,
      request: asked,
    } = readJson(Buffer.concat(chunks).toString("utf8")) as {
      readonly apiVersion: string;
      readonly kind: string;
      readonly request: {
        readonly uid: string;
        readonly objects: readonly object[];
        readonly desiredAPIVersion: string;
      };
    };
    const convertedObjects = asked.objects.map((object) => ({ ...object, apiVersion: asked.desiredAPIVersion }));
    const result = { uid: asked.uid, result: { status: "Success" }, convertedObjects };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(toExactJson({ apiVersion, kind, response: result }));
  });
  await new Promise<void>((done) => hook.listen(0, "127.0.0.1", () => done()));
  onTestFinished(() => new Promise((done) => hook.close(() => done(undefined))));
  const url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const caBundle = Buffer.from(pki.caCertificate).toString("base64");
  const { server, admin } = await testServer();
  onTestFinished(() => server.close());
  await fill(admin, {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { url, caBundle } },
  });
  await check(admin, SECOND);
  for (const [name] of samples()) {
    const body = { metadata: { labels: { through: "v2" } } };
    expect((await admin.call("PATCH", `${SECOND}/${name}`, { type: MERGE_PATCH, body })).code).toBe(200);
  }
  await check(admin, SECOND);
  await check(admin, THINGS);
});
