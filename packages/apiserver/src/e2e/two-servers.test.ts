// Two servers over one etcd: a write to one is read, watched and in force at the other. Skipped where etcd is not installed.

import { openEtcd } from "@celadon/storage/etcd";
import { type EtcdMember, findEtcd, startEtcd } from "@celadon/storage/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONFIG_MAPS, configMap, type TestServer, testServer } from "../server.testing.ts";

describe.skipIf(findEtcd() === undefined)("two servers over one etcd (skipped where it is not installed)", () => {
  let member: EtcdMember;
  let server: TestServer;
  let two: TestServer;

  beforeAll(async () => {
    member = await startEtcd();
    const open = async (): Promise<TestServer> =>
      testServer({
        store: await openEtcd({ endpoints: [member.endpoint], prefix: "/shared" }),
        exclusive: false,
      });
    [server, two] = [await open(), await open()];
  });

  afterAll(async () => {
    await server?.server.close();
    await two?.server.close();
    await member?.remove();
  });

  test("a write at one is read at the other at once, under the same version", async () => {
    const written = (await server.admin.call("POST", CONFIG_MAPS, { body: configMap("a") })).json();
    const read = (await two.admin.call("GET", `${CONFIG_MAPS}/a`)).json();
    expect(read).toEqual(written);
    const [here, there] = await Promise.all(
      [server, two].map(async ({ admin }) => (await admin.call("GET", CONFIG_MAPS)).json()),
    );
    expect(there.items).toEqual(here.items);
  });

  test("a watch at one gets the writes at both, in one order", async () => {
    const { metadata } = (await two.admin.call("GET", CONFIG_MAPS)).json();
    const watch = await two.admin.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const names = Array.from({ length: 20 }, (_, i) => `w${i}`);
    for (const [i, name] of names.entries()) {
      await (i % 2 === 0 ? server : two).admin.call("POST", CONFIG_MAPS, { body: configMap(name) });
    }
    await server.admin.call("DELETE", `${CONFIG_MAPS}/w0`);
    const seen: string[] = [];
    for (let i = 0; i < names.length + 1; i++) {
      const event = await watch.next();
      seen.push(`${event?.type} ${event?.object.metadata.name}`);
    }
    watch.close();
    expect(seen).toEqual([...names.map((name) => `ADDED ${name}`), "DELETED w0"]);
  });

  test("of two writers of the same version, one gets a conflict", async () => {
    const stored = (await server.admin.call("POST", CONFIG_MAPS, { body: configMap("b") })).json();
    const change = ({ admin }: TestServer, value: string) =>
      admin.call("PUT", `${CONFIG_MAPS}/b`, { body: { ...stored, data: { value } } });
    const codes = (await Promise.all([change(server, "1"), change(two, "2")])).map(({ code }) => code);
    expect(codes.sort()).toEqual([200, 409]);
  });

  test("policies and definitions written at one are in force at both", async () => {
    const admission = "/apis/admissionregistration.k8s.io/v1";
    const apiVersion = "admissionregistration.k8s.io/v1";
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
    const post = async (path: string, body: object): Promise<void> => {
      const { code, text } = await server.admin.call("POST", path, { body });
      expect(code, text).toBe(201);
    };
    await post(`${admission}/validatingadmissionpolicies`, {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: "object.metadata.name != 'no'", message: "not this one" }],
      },
    });
    await post(`${admission}/validatingadmissionpolicybindings`, {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Deny"] },
    });
    await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    // The other server hears of it from etcd: a consistent read waits for that.
    await two.admin.call("GET", `${admission}/validatingadmissionpolicybindings/b`);
    for (const { admin } of [server, two]) {
      expect((await admin.call("POST", CONFIG_MAPS, { body: configMap("no") })).json().message).toContain(
        "not this one",
      );
    }
    await two.admin.call("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com");
    const things = "/apis/example.com/v1/namespaces/default/things";
    const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" } };
    expect((await two.admin.call("POST", things, { body: thing })).code).toBe(201);
    expect((await server.admin.call("GET", `${things}/t`)).code).toBe(200);
  });
});
