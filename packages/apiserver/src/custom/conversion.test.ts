// Conversion webhooks: their requests, the effects of their answers, and the requests that their failures touch.

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { LocalClient, LocalWatch } from "../client/local-client.ts";
import { createPki, type Pki } from "../pki/authority.ts";
import { testServer } from "../server.testing.ts";
import type { ApiServer } from "../server.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is read as it comes
type Json = Record<string, any>;
type Answer = (review: Json) => unknown;

let pki: Pki;
let hook: Server;
let url = "";
let reviews: Json[] = [];
let answer: Answer = () => ({});
let status = 200;
let server: ApiServer;
let admin: LocalClient;

/** v1 has `spec.host` and `spec.port`, v2 `spec.address`. */
function converted(object: Json, apiVersion: string): Json {
  const { host, port, address, ...rest } = object.spec ?? {};
  if (apiVersion.endsWith("/v2")) return { ...object, apiVersion, spec: { ...rest, address: `${host}:${port}` } };
  const [first, second] = String(address).split(":");
  return { ...object, apiVersion, spec: { ...rest, host: first, port: Number(second) } };
}

const success = ({ request, apiVersion, kind }: Json, change = (object: Json): unknown => object): Json => ({
  apiVersion,
  kind,
  response: {
    uid: request.uid,
    result: { status: "Success" },
    convertedObjects: request.objects.map((object: Json) => change(converted(object, request.desiredAPIVersion))),
  },
});

beforeAll(async () => {
  pki = createPki(["127.0.0.1"]);
  hook = createServer({ key: pki.serverKey, cert: pki.serverCertificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json;
      reviews.push(review);
      const body = answer(review);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => hook.listen(0, "127.0.0.1", () => done()));
  url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/convert`;
});

afterAll(() => new Promise((done) => hook.close(done)));

const schema = (spec: Json): Json => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec } } },
});
const LEVEL = { type: "string", default: "plain" };

function definition(storage: string, more: Json = {}): Json {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "links.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "links", singular: "link", kind: "Link", listKind: "LinkList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: storage === "v1",
          schema: schema({ host: { type: "string" }, port: { type: "integer" }, level: LEVEL }),
          selectableFields: [{ jsonPath: ".spec.host" }],
        },
        {
          name: "v2",
          served: true,
          storage: storage === "v2",
          schema: schema({ address: { type: "string" }, level: { type: "string" }, note: LEVEL }),
          selectableFields: [{ jsonPath: ".spec.address" }],
          additionalPrinterColumns: [{ name: "Address", type: "string", jsonPath: ".spec.address" }],
        },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1", "v1beta1"],
          clientConfig: { url, caBundle: Buffer.from(pki.caCertificate).toString("base64") },
        },
      },
      ...more,
    },
  };
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const at = (version: string, name = "", query = ""): string =>
  `/apis/example.com/${version}/namespaces/default/links${name === "" ? "" : `/${name}`}${query}`;
const first = (name: string, spec: Json = { host: "a", port: 1 }): Json => ({
  apiVersion: "example.com/v1",
  kind: "Link",
  metadata: { name },
  spec,
});
const second = (name: string, spec: Json = { address: "b:2" }): Json => ({
  apiVersion: "example.com/v2",
  kind: "Link",
  metadata: { name },
  spec,
});

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Json = {},
): Promise<{ code: number; json: Json }> {
  const { code, json } = await admin.call(method, path, { ...(body !== undefined && { body }), headers });
  return { code, json: json() as Json };
}

beforeEach(async () => {
  ({ server, admin } = await testServer());
  answer = success;
  status = 200;
  const { code } = await ask("POST", DEFINITIONS, definition("v1"));
  expect(code).toBe(201);
  reviews = [];
});

afterEach(() => server.close());

test("objects are written in one version and read in another; the stored version asks nobody", async () => {
  expect((await ask("POST", at("v1"), first("one"))).code).toBe(201);
  expect(reviews).toEqual([]);
  const read = await ask("GET", at("v2", "one"));
  // The default of the stored version counts, the one of the requested version does not.
  expect(read.json).toMatchObject({ apiVersion: "example.com/v2", spec: { address: "a:1", level: "plain" } });
  expect(read.json.spec.note).toBeUndefined();
  expect(reviews).toHaveLength(1);
  expect(reviews[0]).toMatchObject({
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    request: { desiredAPIVersion: "example.com/v2", objects: [{ apiVersion: "example.com/v1" }] },
  });
  // A converted object is kept.
  await ask("GET", at("v2", "one"));
  expect(reviews).toHaveLength(1);

  const created = await ask("POST", at("v2"), second("two"));
  expect([created.code, created.json.spec]).toEqual([201, { address: "b:2", level: "plain" }]);
  const stored = await ask("GET", at("v1", "two"));
  // Fields that the schema of the stored version does not have are not stored.
  expect(stored.json.spec).toEqual({ host: "b", port: 2, level: "plain" });
});

test("a list is converted in one review, with its selectors and columns in the requested version", async () => {
  for (const name of ["a", "b", "c"]) await ask("POST", at("v1"), first(name, { host: name, port: 7 }));
  const list = await ask("GET", at("v2"));
  expect(list.json.items.map(({ spec }: Json) => spec.address)).toEqual(["a:7", "b:7", "c:7"]);
  expect(list.json).toMatchObject({ kind: "LinkList", apiVersion: "example.com/v2" });
  expect(reviews.map(({ request }) => request.objects.length)).toEqual([3]);
  const selected = await ask("GET", at("v2", "", "?fieldSelector=spec.address%3Db:7"));
  expect(selected.json.items.map(({ metadata }: Json) => metadata.name)).toEqual(["b"]);
  const table = await ask("GET", at("v2"), undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
  expect(table.json.rows.map(({ cells }: Json) => cells)).toEqual([
    ["a", "a:7"],
    ["b", "b:7"],
    ["c", "c:7"],
  ]);
  const page = await ask("GET", at("v2", "", "?limit=2"));
  await ask("DELETE", at("v1", "c"));
  const rest = await ask("GET", at("v2", "", `?limit=2&continue=${page.json.metadata.continue}`));
  expect(rest.json.items.map(({ spec }: Json) => spec.address)).toEqual(["c:7"]);
});

test("a change of either version is seen in both, and one that changes nothing is not written", async () => {
  const changed = (await ask("GET", `${DEFINITIONS}/links.example.com`)).json;
  // A default that the stored version does not keep would be a change each time.
  delete changed.spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.note;
  await ask("PUT", `${DEFINITIONS}/links.example.com`, changed);
  await ask("POST", at("v1"), first("one"));
  const before = (await ask("GET", at("v2", "one"))).json;
  const same = await ask("PUT", at("v2", "one"), before);
  expect([same.code, same.json.metadata.resourceVersion]).toEqual([200, before.metadata.resourceVersion]);
  const merge = { "content-type": "application/merge-patch+json" };
  const patched = await ask("PATCH", at("v2", "one"), { spec: { address: "z:9" } }, merge);
  expect(patched.json.spec.address).toBe("z:9");
  expect((await ask("GET", at("v1", "one"))).json.spec).toMatchObject({ host: "z", port: 9 });
  const apply = { "content-type": "application/apply-patch+yaml" };
  const applied = await ask(
    "PATCH",
    at("v2", "one", "?fieldManager=me&force=true"),
    second("one", { address: "y:8" }),
    apply,
  );
  expect([applied.code, applied.json.spec.address]).toEqual([200, "y:8"]);
  expect((await ask("DELETE", at("v2", "one"))).code).toBe(200);
  expect((await ask("GET", at("v1", "one"))).code).toBe(404);
});

test("when the stored version changes, earlier objects are converted", async () => {
  await ask("POST", at("v1"), first("old"));
  const stored = (await ask("GET", `${DEFINITIONS}/links.example.com`)).json;
  const changed = definition("v2");
  changed.metadata.resourceVersion = stored.metadata.resourceVersion;
  expect((await ask("PUT", `${DEFINITIONS}/links.example.com`, changed)).code).toBe(200);
  reviews = [];
  await ask("POST", at("v2"), second("new"));
  const list = await ask("GET", at("v2"));
  expect(list.json.items.map(({ spec }: Json) => spec.address)).toEqual(["b:2", "a:1"]);
  expect(reviews.map(({ request }) => request.objects.length)).toEqual([1]);
});

async function take(watch: LocalWatch, count: number): Promise<Json[]> {
  const events: Json[] = [];
  for (let i = 0; i < count; i++) events.push((await watch.next()) as unknown as Json);
  watch.close();
  return events;
}

test("a watch gets converted events in order", async () => {
  await ask("POST", at("v1"), first("one"));
  const watch = await admin.watch(at("v2", "", "?watch=true"));
  await ask("PATCH", at("v1", "one"), { spec: { port: 5 } }, { "content-type": "application/merge-patch+json" });
  await ask("POST", at("v2"), second("two"));
  await ask("DELETE", at("v1", "one"));
  const events = await take(watch, 4);
  expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec.address])).toEqual([
    ["ADDED", "example.com/v2", "a:1"],
    ["MODIFIED", "example.com/v2", "a:5"],
    ["ADDED", "example.com/v2", "b:2"],
    ["DELETED", "example.com/v2", "a:5"],
  ]);
  const from = events[0]!.object.metadata.resourceVersion;
  const again = await take(await admin.watch(at("v2", "", `?watch=true&resourceVersion=${from}`)), 3);
  expect(again.map(({ type }) => type)).toEqual(["MODIFIED", "ADDED", "DELETED"]);
});

const prefix = "conversion webhook for example.com/v1, Kind=Link";
const changing =
  (change: (object: Json) => unknown): Answer =>
  (review) =>
    success(review, change);
const result =
  (response: Json): Answer =>
  ({ request, apiVersion, kind }) => ({
    apiVersion,
    kind,
    response: { uid: request.uid, ...response },
  });

// biome-ignore format: one case per line
const failures: [string, Answer, string][] = [
  ["no objects",          result({ result: { status: "Success" }, convertedObjects: [] }),        "returned 0 objects, expected 1"],
  ["a failure",           result({ result: { status: "Failure", message: "no can do" } }),        "failed: no can do"],
  ["no status",           result({}),                                                             "failed: response.result.status was '', not 'Success'"],
  ["no response",         ({ apiVersion, kind }) => ({ apiVersion, kind }),                       "failed: no response provided"],
  ["another kind",        () => ({ apiVersion: "v1", kind: "Pod" }),                              "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /v1, Kind=Pod"],
  ["another uid",         result({ uid: "x", result: { status: "Success" } }),                    "failed: expected response.uid=\"UID\", got \"x\""],
  ["another version",     changing((o) => ({ ...o, apiVersion: "example.com/v1" })),              "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)"],
  ["another object kind", changing((o) => ({ ...o, kind: "Chain" })),                             "returned invalid object at index 0: invalid kind (expected Link, received Chain)"],
  ["another name",        changing((o) => ({ ...o, metadata: { ...o.metadata, name: "x" } })),    "returned invalid object: must have the same name: one != x"],
  ["another namespace",   changing((o) => ({ ...o, metadata: { ...o.metadata, namespace: "x" } })), "returned invalid object: must have the same namespace: default != x"],
  ["another UID",         changing((o) => ({ ...o, metadata: { ...o.metadata, uid: "x" } })),     "returned invalid object: must have the same UID: OWN != x"],
  ["odd labels",          changing((o) => ({ ...o, metadata: { ...o.metadata, labels: { a: 1 } } })), "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object"],
  ["bad labels",          changing((o) => ({ ...o, metadata: { ...o.metadata, labels: { "a b": "c" } } })), "returned invalid metadata: metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"],
  ["null",                changing(() => null),                                                   "returned invalid object at index 0: Object 'Kind' is missing in 'null'"],
];

test.each(failures)("an answer with %s is an error", async (_, wrong, text) => {
  const { json: own } = await ask("POST", at("v1"), first("one"));
  answer = wrong;
  const { code, json } = await ask("GET", at("v2", "one"));
  const wanted = text.replace("OWN", own.metadata.uid).replace('UID"', `${reviews.at(-1)?.request.uid}"`);
  expect(json).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${prefix} ${wanted}`,
    code,
  });
  expect(code).toBe(500);
});

test("every verb of the other version fails while the webhook does, and works again after it", async () => {
  await ask("POST", at("v1"), first("one"));
  await ask("POST", at("v1"), first("two", { host: "t", port: 2 }));
  status = 400;
  const text = "failed: the server rejected our request for an unknown reason";
  const merge = { "content-type": "application/merge-patch+json" };
  const calls: [string, string, Json?, Json?][] = [
    ["GET", at("v2", "one")],
    ["GET", at("v2")],
    ["POST", at("v2"), second("three")],
    ["PUT", at("v2", "one"), second("one")],
    ["PATCH", at("v2", "one"), { spec: {} }, merge],
    ["DELETE", at("v2", "one")],
    ["DELETE", at("v2")],
  ];
  for (const [method, path, body, headers] of calls) {
    const { code, json } = await ask(method, path, body, headers);
    const from = method === "POST" ? prefix.replace("v1", "v2") : prefix;
    expect([method, path, code, json.message]).toEqual([method, path, 500, `${from} ${text}`]);
  }
  expect((await ask("GET", at("v1", "one"))).code).toBe(200);
  status = 200;
  const list = await ask("GET", at("v2"));
  expect(list.json.items).toHaveLength(2);
});

test("one object that cannot be converted does not take the others along, but for lists", async () => {
  for (const name of ["bad", "good"]) await ask("POST", at("v1"), first(name));
  answer = (review) =>
    review.request.objects.some(({ metadata }: Json) => metadata.name === "bad")
      ? result({ result: { status: "Failure", message: "bad is bad" } })(review)
      : success(review);
  expect((await ask("GET", at("v2", "good"))).json.spec.address).toBe("a:1");
  expect((await ask("GET", at("v2", "bad"))).json.message).toBe(`${prefix} failed: bad is bad`);
  expect((await ask("GET", at("v2"))).json.message).toBe(`${prefix} failed: bad is bad`);
  const events = await take(await admin.watch(at("v2", "", "?watch=true")), 1);
  expect(events[0]).toMatchObject({ type: "ERROR", object: { code: 500, message: `${prefix} failed: bad is bad` } });
});

test("labels and annotations may be changed, other metadata may not", async () => {
  await ask("POST", at("v1"), first("one"));
  const metadata = {
    labels: { made: "here" },
    annotations: { "example.com/note": "x" },
    generation: 42,
    finalizers: ["a/b"],
  };
  answer = changing((o) => ({ ...o, metadata: { ...o.metadata, ...metadata } }));
  const { json } = await ask("GET", at("v2", "one"));
  expect(json.metadata).toMatchObject({ labels: metadata.labels, annotations: metadata.annotations, generation: 1 });
  expect(json.metadata.finalizers).toBeUndefined();
});

test("the first known review version is used; v1beta1 does not need a uid", async () => {
  const stored = (await ask("GET", `${DEFINITIONS}/links.example.com`)).json;
  stored.spec.conversion.webhook.conversionReviewVersions = ["v9", "v1beta1", "v1"];
  await ask("PUT", `${DEFINITIONS}/links.example.com`, stored);
  await ask("POST", at("v1"), first("one"));
  answer = ({ request }) => ({
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kind: "ConversionReview",
    response: {
      result: { status: "Success" },
      convertedObjects: request.objects.map((o: Json) => converted(o, "example.com/v2")),
    },
  });
  expect((await ask("GET", at("v2", "one"))).json.spec.address).toBe("a:1");
  expect(reviews[0]!.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
});

test("a webhook that is not there, or behind a service without endpoints, is named in the error", async () => {
  await ask("POST", at("v1"), first("one"));
  const stored = (await ask("GET", `${DEFINITIONS}/links.example.com`)).json;
  const service = { namespace: "default", name: "hook", path: "/convert" };
  stored.spec.conversion.webhook.clientConfig = { service };
  expect((await ask("PUT", `${DEFINITIONS}/links.example.com`, stored)).code).toBe(200);
  const { json } = await ask("GET", at("v2", "one"));
  expect(json.message).toBe(
    `${prefix} failed: Post "https://hook.default.svc:443/convert?timeout=30s": service "hook" not found`,
  );
});

test("conversions are counted", async () => {
  await ask("POST", at("v1"), first("one"));
  await ask("GET", at("v2", "one"));
  const { text } = await admin.call("GET", "/metrics");
  expect(text).toContain('apiserver_conversion_webhook_request_total{result="success",failure_type=""} 1');
});
