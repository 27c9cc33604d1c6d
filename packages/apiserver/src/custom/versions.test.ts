// Definitions and objects of several versions without a conversion webhook, as kube-apiserver 1.36 answers.

import { beforeAll, expect, test } from "vitest";
import type { LocalClient } from "../client/local-client.ts";
import { testServer } from "../server.testing.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const text = (of: string) => ({ type: "string", default: of });
const version = (name: string, properties: object) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
});
const definition = (plural: string) => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural, kind: plural.slice(0, -1) },
    versions: [
      version("v1", { both: text("one"), old: { type: "string" } }),
      version("v2", { both: text("two"), added: text("new") }),
    ],
  },
});

let admin: LocalClient;
beforeAll(async () => {
  const running = await testServer();
  admin = running.admin;
  await admin.call("POST", DEFINITIONS, { body: definition("things") });
  return () => running.server.close();
});

test("only the stored version fills in defaults, and the other one drops fields it does not have", async () => {
  const made = await admin.call("POST", "/apis/example.com/v1/things", {
    body: { apiVersion: "example.com/v1", kind: "thing", metadata: { name: "a" }, spec: { old: "x" } },
  });
  expect(made.json().spec).toEqual({ both: "one", old: "x" });
  expect((await admin.call("GET", "/apis/example.com/v2/things/a")).json().spec).toEqual({ both: "one" });
});

test.each(["?dryRun=All", ""])("an object comes back as it was stored: %j", async (query) => {
  const made = await admin.call("POST", `/apis/example.com/v2/things${query}`, {
    body: { apiVersion: "example.com/v2", kind: "thing", metadata: { name: "b" }, spec: { added: "y" } },
  });
  expect([made.code, made.json().spec]).toEqual([201, { both: "two" }]);
});

test("objects of all namespaces cannot be deleted, and a definition that is deleted keeps its generation", async () => {
  const spec = { ...definition("parts").spec, scope: "Namespaced" };
  const made = (await admin.call("POST", DEFINITIONS, { body: { ...definition("parts"), spec } })).json();
  expect(made.status).toEqual({
    conditions: null,
    acceptedNames: { plural: "", kind: "" },
    storedVersions: ["v1"],
  });
  expect(await admin.call("DELETE", "/apis/example.com/v1/parts")).toMatchObject({
    code: 404,
    text: "404 page not found\n",
  });
  const deleted = (await admin.call("DELETE", `${DEFINITIONS}/parts.example.com`)).json();
  expect([deleted.metadata.deletionTimestamp, deleted.metadata.generation]).toEqual([expect.any(String), 1]);
});

test("the first version of a definition is named twice where its name is wrong", async () => {
  const spec = { ...definition("nails").spec, versions: [{ ...version("v1", {}), name: "V_1" }] };
  const refused = await admin.call("POST", DEFINITIONS, { body: { ...definition("nails"), spec } });
  const fields = refused.json().details.causes.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(["spec.versions[0].name", "spec.version"]);
});
