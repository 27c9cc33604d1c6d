import { beforeAll, expect, test, vi } from "vitest";
import { CONFIG_MAPS, configMap, type TestServer, testServer } from "../server.testing.ts";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  return () => running.server.close();
});

interface Owner {
  readonly name: string;
  readonly uid: string;
}

const create = async (name: string, owners: readonly Owner[] = [], more: object = {}): Promise<Owner> => {
  const ownerReferences = owners.map((owner) => ({ apiVersion: "v1", kind: "ConfigMap", ...owner, ...more }));
  const { code, text, json } = await running.admin.call("POST", CONFIG_MAPS, {
    body: configMap(name, { metadata: { ownerReferences } }),
  });
  expect(code, text).toBe(201);
  return { name, uid: json().metadata.uid };
};
const remove = async (name: string, propagationPolicy: string): Promise<void> => {
  await running.admin.call("DELETE", `${CONFIG_MAPS}/${name}`, { body: { propagationPolicy } });
};
const get = async (name: string) => {
  const reply = await running.admin.call("GET", `${CONFIG_MAPS}/${name}`);
  return reply.code === 200 ? reply.json() : undefined;
};
const eventually = (check: () => Promise<unknown>): Promise<unknown> => vi.waitFor(check, { timeout: 100_000 });
const isGone = (...names: readonly string[]): Promise<unknown> =>
  eventually(async () => {
    for (const name of names) if ((await get(name)) !== undefined) throw new Error(`${name} is still there`);
  });

test("in the background, dependents go after their owner, all the way down", async () => {
  const owner = await create("owner");
  const child = await create("child", [owner]);
  await create("grandchild", [child]);
  await remove("owner", "Background");
  await isGone("owner", "child", "grandchild");
});

test("a dependent with another owner stays and loses the reference", async () => {
  const [first, second] = [await create("first"), await create("second")];
  await create("shared", [first, second]);
  await remove("first", "Background");
  await eventually(async () => {
    expect((await get("shared")).metadata.ownerReferences.map(({ uid }: Owner) => uid)).toEqual([second.uid]);
  });
});

test("in the foreground, the owner waits for those that block it", async () => {
  const owner = await create("waits");
  await create("blocks", [owner], { blockOwnerDeletion: true });
  await running.admin.call("PATCH", `${CONFIG_MAPS}/blocks`, {
    type: "application/merge-patch+json",
    body: { metadata: { finalizers: ["example.com/hold"] } },
  });
  await remove("waits", "Foreground");
  await eventually(async () => expect((await get("blocks")).metadata.deletionTimestamp).toBeDefined());
  expect((await get("waits")).metadata.finalizers).toEqual(["foregroundDeletion"]);
  await running.admin.call("PATCH", `${CONFIG_MAPS}/blocks`, {
    type: "application/merge-patch+json",
    body: { metadata: { finalizers: null } },
  });
  await isGone("waits", "blocks");
});

test("orphans stay and forget their owner", async () => {
  const owner = await create("leaves");
  await create("orphan", [owner]);
  await remove("leaves", "Orphan");
  await isGone("leaves");
  expect((await get("orphan")).metadata.ownerReferences).toBeUndefined();
});

test("an owner that never was, or was another one, does not keep a dependent", async () => {
  await create("lookalike");
  await create("misled", [{ name: "lookalike", uid: "7f0ac9c6-30ce-4ad1-9d2f-5a2b2d2f2a11" }]);
  await create("lost", [{ name: "never", uid: "7f0ac9c6-30ce-4ad1-9d2f-5a2b2d2f2a12" }]);
  await isGone("misled", "lost");
  expect(await get("lookalike")).toBeDefined();
});

test("claims go once no pod uses them", async () => {
  const { admin } = running;
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  await admin.call("POST", claims, {
    body: { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "used" }, spec },
  });
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "used" } }];
  await admin.call("POST", pods, {
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "user" },
      spec: { nodeName: "n", containers: [{ name: "a", image: "i" }], volumes },
    },
  });
  await admin.call("DELETE", `${claims}/used`);
  expect((await admin.call("GET", `${claims}/used`)).json().metadata.finalizers).toEqual([
    "kubernetes.io/pvc-protection",
  ]);
  await admin.call("DELETE", `${pods}/user`, { body: { gracePeriodSeconds: 0 } });
  await eventually(async () => {
    if ((await admin.call("GET", `${claims}/used`)).code !== 404) throw new Error("still there");
  });
});
