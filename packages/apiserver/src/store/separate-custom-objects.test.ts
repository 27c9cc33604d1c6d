// Stores of earlier versions, in which custom resources were beside built-in ones.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { openLmdb } from "@celadon/storage/lmdb";
import { openMemory } from "@celadon/storage/memory";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import { describe, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { customPrefix, formerCustomPrefix } from "../kinds/storage-prefix.ts";
import { testServer } from "../server.testing.ts";
import { separateCustomObjects } from "./separate-custom-objects.ts";

type Opened = { readonly store: Store; remove(): Promise<void> };

const stores: Readonly<Record<string, { readonly open: () => Promise<Opened>; readonly isMissing?: boolean }>> = {
  memory: { open: async () => ({ store: await openMemory(), remove: async () => {} }) },
  lmdb: {
    async open() {
      const directory = mkdtempSync(join(tmpdir(), "celadon-former-"));
      return { store: await openLmdb(directory), remove: async () => rmSync(directory, { recursive: true }) };
    },
  },
  "etcd (skipped where it is not installed)": {
    isMissing: findEtcd() === undefined,
    async open() {
      const member = await startEtcd();
      return { store: await openEtcd({ endpoints: [member.endpoint] }), remove: () => member.remove() };
    },
  },
};

const GROUP = "rbac.authorization.k8s.io";
const definition = (plural: string, group: string, kind: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `${plural}.${group}`,
    uid: "11111111-1111-4111-8111-111111111111",
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
  },
  spec: {
    group,
    scope: "Cluster",
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: "v9",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});
const object = (apiVersion: string, kind: string, name: string, more = ""): string =>
  `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"${name}","uid":"22222222-2222-4222-8222-222222222222","creationTimestamp":"2026-01-01T00:00:00Z"}${more}}`;

async function fill(store: Store): Promise<void> {
  const put = async (key: string, value: string): Promise<void> => {
    await store.write([{ op: "put", key, value: Buffer.from(value), ifRevision: 0 }]);
  };
  const definitions = "/registry/apiextensions.k8s.io/customresourcedefinitions/";
  for (const made of [definition("things", "example.com", "Thing"), definition("clusterrolebindings", GROUP, "Foo")]) {
    await put(definitions + made.metadata.name, JSON.stringify(made));
  }
  const former = formerCustomPrefix("example.com", "things");
  for (let at = 0; at < 150; at++) {
    await put(`${former}t${at}`, object("example.com/v9", "Thing", `t${at}`, ',"spec":{"n":9007199254740993,"d":1.0}'));
  }
  const shared = formerCustomPrefix(GROUP, "clusterrolebindings");
  const grant = (subject: string): string =>
    `,"roleRef":{"apiGroup":"${GROUP}","kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"User","apiGroup":"${GROUP}","name":"${subject}"}]`;
  await put(`${shared}good`, object(`${GROUP}/v1`, "ClusterRoleBinding", "good", grant("ada")));
  await put(`${shared}evil`, object(`${GROUP}/v9`, "Foo", "evil", grant("mallory")));
}

for (const [name, { open, isMissing = false }] of Object.entries(stores)) {
  describe.skipIf(isMissing)(name, () => {
    test("custom resources of a former store are moved as they are, and built-in ones stay", async () => {
      const { store, remove } = await open();
      await fill(store);
      const { server, admin } = await testServer({ store });
      try {
        const { items } = (await admin.call("GET", "/apis/example.com/v9/things")).json();
        expect(items).toHaveLength(150);
        const raw = await store.get(`${customPrefix("example.com", "things")}t7`);
        expect(Buffer.from(raw.entry?.value ?? []).toString()).toContain('"spec":{"n":9007199254740993,"d":1.0}');
        expect((await store.list(formerCustomPrefix("example.com", "things"))).entries).toEqual([]);
        // The object of the definition over a built-in resource grants nothing any more, and is not lost.
        const list = "/api/v1/namespaces/kube-system/secrets";
        const as = (username: string) => new LocalClient(server, { username, groups: [] });
        expect([(await as("ada").call("GET", list)).code, (await as("mallory").call("GET", list)).code]).toEqual([
          200, 403,
        ]);
        expect((await store.get(`${customPrefix(GROUP, "clusterrolebindings")}evil`)).entry).toBeDefined();
        expect(await separateCustomObjects(store, server.kinds)).toBe(0);
      } finally {
        await server.close();
        await remove();
      }
    }, 30_000);
  });
}

test("an object that an earlier version has written since replaces the moved one, and an older one does not", async () => {
  const store = await openMemory();
  await fill(store);
  const { server } = await testServer({ store: await openMemory() });
  const [from, to] = [formerCustomPrefix("example.com", "things"), customPrefix("example.com", "things")];
  const write = (key: string, value: string) => store.write([{ op: "put", key, value: Buffer.from(value) }]);
  const text = (mark: string): string => object("example.com/v9", "Thing", "t1", `,"mark":"${mark}"`);
  await write(`${to}t1`, text("older"));
  await write(`${from}t1`, text("newer"));
  await write(`${from}t2`, text("older"));
  await write(`${to}t2`, text("newer"));
  await separateCustomObjects(store, server.kinds);
  for (const name of ["t1", "t2"]) {
    expect(Buffer.from((await store.get(to + name)).entry?.value ?? []).toString()).toContain('"newer"');
  }
  expect((await store.list(from)).entries).toEqual([]);
  await server.close();
});
