// Clients may ask for other forms than objects in JSON, and learn when those cannot be had.

import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { decodeProtobuf } from "../codec/protobuf/decode.ts";
import { CONFIG_MAPS, configMap, type TestServer, testServer } from "../server.testing.ts";
import { isStream } from "../wire/call.ts";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  await running.admin.call("POST", CONFIG_MAPS, { body: configMap("first") });
  await running.admin.call("POST", CONFIG_MAPS, { body: configMap("second") });
  return () => running.server.close();
});

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const get = (url: string, accept: string) => running.admin.call("GET", url, { headers: { accept } });

/** The answer to a GET of the administrator, as bytes. */
async function bytes(url: string, accept: string): Promise<{ code: number; type: string; body: Uint8Array }> {
  const { answer } = await running.server.serve({
    method: "GET",
    path: url,
    query: "",
    header: (name) => (name === "accept" ? accept : undefined),
    headerValues: () => [],
    headerNames: () => ["accept"],
    body: () => Promise.resolve(new Uint8Array()),
    peer: { username: "admin", groups: ["system:masters"] },
    remoteAddress: "127.0.0.1",
    signal: new AbortController().signal,
  });
  if (isStream(answer)) throw new Error("a stream");
  return { code: answer.code, type: answer.type, body: Buffer.from(answer.body) };
}

test("protobuf where nothing else is accepted, JSON where it is", async () => {
  const only = await bytes(`${CONFIG_MAPS}/first`, PROTOBUF);
  expect(only.type).toBe(PROTOBUF);
  expect(decodeProtobuf(only.body)).toMatchObject({ kind: "ConfigMap", metadata: { name: "first" } });
  expect((await bytes(CONFIG_MAPS, `${PROTOBUF},application/json`)).type).toBe("application/json");
  const as = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  const list = await bytes(CONFIG_MAPS, `${PROTOBUF};${as},application/json;${as},application/json`);
  expect([list.type, decodeProtobuf(list.body)]).toMatchObject([PROTOBUF, { kind: "PartialObjectMetadataList" }]);
});

// biome-ignore format: one request per line
test.each<[what: string, path: string, accept: string, code: number, message: string]>([
  ["no type that is offered",      `${CONFIG_MAPS}/first`, "text/html",                                                               406, "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf"],
  ["a pattern",                    `${CONFIG_MAPS}/first`, "application/*",                                                           406, "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf"],
  ["of a list",                    CONFIG_MAPS,            "text/html",                                                               406, "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"],
  ["a form that does not exist",   `${CONFIG_MAPS}/first`, "application/json;as=Nothing;v=v1;g=meta.k8s.io",                          406, "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"],
  ["metadata of a list as of one", CONFIG_MAPS,            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",            406, "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)"],
  ["metadata of one as of a list", `${CONFIG_MAPS}/first`, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",        406, "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)"],
])("not acceptable: %s", async (_, path, accept, code, message) => {
  const reply = await get(path, accept);
  expect([reply.code, reply.json().message]).toEqual([code, message]);
});

test("a refusal is of the type that was asked for", async () => {
  const refused = await bytes(`${CONFIG_MAPS}/absent`, PROTOBUF);
  expect([refused.code, refused.type]).toEqual([404, PROTOBUF]);
  expect(decodeProtobuf(refused.body)).toMatchObject({ kind: "Status", reason: "NotFound", code: 404 });
  expect((await get(`${CONFIG_MAPS}/absent`, "application/yaml")).text).toContain("reason: NotFound\n");
});

test("a watch of tables sends the columns once", async () => {
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const watch = await running.admin.watch(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name!=kube-root-ca.crt`, {
    headers: { accept },
  });
  const [first, second] = [await watch.next(), await watch.next()];
  expect(first?.object.columnDefinitions.length).toBeGreaterThan(0);
  expect(second?.object.columnDefinitions).toBeNull();
  watch.close();
});

// biome-ignore format: one resource per line
test.each([
  [CONFIG_MAPS,                                    ["", 0, "<unknown>"]],
  ["/api/v1/namespaces/default/pods",              ["", "0/0", "", "0", "<unknown>", "<none>", "<none>", "<none>", "<none>"]],
  ["/apis/apps/v1/deployments",                    ["", "0/0", 0, 0, "<unknown>", "", "", ""]],
  ["/api/v1/nodes",                                ["", "Unknown", "<none>", "<unknown>", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"]],
  ["/api/v1/persistentvolumes",                    ["", "0", "", "", "", "", "", "<unset>", "", "<unknown>", "<unset>"]],
  ["/apis/rbac.authorization.k8s.io/v1/roles",     ["", "0001-01-01T00:00:00Z"]],
])("a bookmark in a table is the row of an object without anything: %s", async (path, cells) => {
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const nobody = "includeObject=None&fieldSelector=metadata.name%3Dnobody";
  const watch = await running.admin.watch(`${path}?${query}&${nobody}`, { headers: { accept } });
  const { object } = (await watch.next())!;
  expect(object.rows[0].cells).toEqual(cells);
  expect(object.rows[0].object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  expect(object.columnDefinitions.length).toBe(cells.length);
  watch.close();
});

test("what cannot be shown as a table is not acceptable as one", async () => {
  const reply = await running.admin.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { nonResourceAttributes: { path: "/", verb: "get" } },
    },
  });
  expect([reply.code, reply.json().reason]).toEqual([406, "NotAcceptable"]);
});

test("a timeout must be a duration", async () => {
  const reply = await get(`${CONFIG_MAPS}?timeout=invalid`, "application/json");
  const text = 'invalid timeout specified in the request URL - time: invalid duration "invalid"';
  expect([reply.code, reply.json().message]).toEqual([400, text]);
  expect((await get(`${CONFIG_MAPS}?timeout=1m30s`, "application/json")).code).toBe(200);
});

test("events are selected by the names their group has", async () => {
  const path = "/apis/events.k8s.io/v1/namespaces/default/events";
  const select = async (selector: string) => (await get(`${path}?fieldSelector=${selector}`, "application/json")).code;
  expect(await select("reportingController=x,regarding.kind=Pod")).toBe(200);
  expect(await select("involvedObject.kind=Pod")).toBe(400);
});

test("duplicate keys of an applied configuration are rejected or warned about", async () => {
  const apply = (name: string, validation: string) =>
    running.admin.call("PATCH", `${CONFIG_MAPS}/${name}?fieldManager=me&fieldValidation=${validation}`, {
      type: "application/apply-patch+yaml",
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  a: b\n  a: c\n`,
    });
  const repeated = 'line 6: key "a" already set in map';
  const refused = await apply("twice", "Strict");
  expect([refused.code, refused.json().message]).toEqual([
    400,
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${repeated}`,
  ]);
  expect((await apply("twice", "Warn")).warnings).toEqual([repeated]);
  expect((await apply("ignored", "Ignore")).warnings).toEqual([]);
});

test.each([
  ["", "invalid object type: /, Kind="],
  ["null", "invalid object type: /, Kind="],
  [
    "[]",
    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
])("an applied configuration that is no object: %j", async (body, message) => {
  const type = "application/apply-patch+yaml";
  const reply = await running.admin.call("PATCH", `${CONFIG_MAPS}/c?fieldManager=me`, { type, body });
  expect([reply.code, reply.json().message]).toEqual([400, message]);
});

// biome-ignore format: one field per line
test.each([
  [`"terminationGracePeriodSeconds": 2.0`,                 201, undefined],
  [`"terminationGracePeriodSeconds": 1.5`,                 500, "cannot convert float64 to int64"],
  [`"overhead": {"cpu": "x"}`,                             500, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
])("an applied configuration is converted and not decoded: %s", async (field, code, why) => {
  const reply = await running.admin.call("PATCH", "/api/v1/namespaces/default/pods/p?fieldManager=me&dryRun=All", {
    type: "application/apply-patch+yaml",
    body: `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": "x"}], ${field}}}`,
  });
  const text = `failed to convert new object (/p; /v1, Kind=Pod) to proper version: unable to convert unstructured object to /v1, Kind=Pod: ${why}`;
  expect([reply.code, reply.json().message]).toEqual([code, why && text]);
});

// biome-ignore format: one body per line
test.each([
  ["k8s\0garbage",             PROTOBUF,           "proto: illegal wireType 7 (6b38730067617262616765)"],
  ["garbage",                  PROTOBUF,           "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (67617262616765)"],
  ["k8s\0",                    PROTOBUF,           "empty body (6b387300)"],
  ["",                         PROTOBUF,           "empty data (<empty>)"],
  ["a: b: c",                  "application/yaml", "yaml: 1:5: YAML reads a colon followed by a space as a map, which cannot begin here (613a20623a2063)"],
])("a body that cannot be read: %j", async (body, type, why) => {
  const reply = await running.admin.call("POST", CONFIG_MAPS, { type, body });
  const text = `the object provided is unrecognized (must be of type ConfigMap): ${why}`;
  expect([reply.code, reply.json().message]).toEqual([400, text]);
});

test("small things tools look at", async () => {
  const [statuses] = (await get("/api/v1/componentstatuses", "application/json")).json().items;
  expect(statuses).toMatchObject({ metadata: { name: "etcd-0" }, conditions: [{ type: "Healthy", status: "True" }] });
  expect((await get("/api/v1/componentstatuses/none", "application/json")).code).toBe(404);
  const { resources } = (await get("/apis/apps/v1", "application/json")).json();
  const hash = createHash("sha256").update("apps/v1/Deployment").digest().subarray(0, 8).toString("base64");
  expect(resources.find(({ name }: { name: string }) => name === "deployments").storageVersionHash).toBe(hash);
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const created = await running.admin.call("POST", "/api/v1/namespaces/default/persistentvolumeclaims", {
    body: claim,
  });
  expect(created.json().status).toEqual({ phase: "Pending" });
});

test("a YAML document that repeats a key is refused or warned about, before fields that are unknown", async () => {
  const type = "application/yaml";
  const create = (validation: string) =>
    running.admin.call("POST", `${CONFIG_MAPS}?dryRun=All&fieldValidation=${validation}`, {
      type,
      body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r}\ndata: {a: x, a: z}\nfoo: 1\nbar: 1\n",
    });
  const line = 'line 4: key "a" already set in map';
  expect((await create("Strict")).json().message).toBe(
    `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  ${line}, unknown field "bar", unknown field "foo"`,
  );
  expect((await create("Warn")).warnings).toEqual([line, 'unknown field "bar"', 'unknown field "foo"']);
  expect((await create("Ignore")).warnings).toEqual([]);
});
