import { expect, test } from "vitest";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";
import { compactRegularly } from "../store/compactor.ts";

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

test("an object comes back as storage would return it, from a dry run too", async () => {
  const { admin } = await testServer();
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: { template } };
  const limits = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "l" }, spec: { limits: [] } };
  for (const query of ["?dryRun=All", ""]) {
    const jobs = await admin.call("POST", `/apis/batch/v1/namespaces/default/jobs${query}`, { body: job });
    expect(jobs.json().metadata.labels).toMatchObject({ "job-name": "j" });
    const ranges = await admin.call("POST", `/api/v1/namespaces/default/limitranges${query}`, { body: limits });
    expect(ranges.json().spec).toEqual({ limits: null });
  }
});

test("an update shows an empty map as it was given", async () => {
  const { admin } = await testServer();
  const classes = "/apis/storage.k8s.io/v1/storageclasses";
  const parameters = { a: "b" };
  const body = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "s" }, provisioner: "a.b/c" };
  await admin.call("POST", classes, { body: { ...body, parameters } });
  const refused = await admin.call("PUT", `${classes}/s`, { body: { ...body, parameters: {} } });
  expect(refused.json().details.causes[0].message).toBe("Invalid value: null: field is immutable");
});

test("a link that a client sent is dropped by the store, which a dry run of an update does not ask", async () => {
  const { admin } = await testServer();
  const body = configMap("a", { metadata: { selfLink: "/x" } });
  const dryCreate = await admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body });
  const create = await admin.call("POST", CONFIG_MAPS, { body });
  const dryUpdate = await admin.call("PUT", `${CONFIG_MAPS}/a?dryRun=All`, { body });
  const update = await admin.call("PUT", `${CONFIG_MAPS}/a`, { body });
  const links = [dryCreate, create, dryUpdate, update].map((reply) => reply.json().metadata.selfLink);
  expect(links).toEqual([undefined, undefined, "/x", undefined]);
});

test("a patch that makes no object is quoted as the library writes it", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { data: { z: "<", b: "1" } }) });
  const quoted = async (type: string, body: unknown): Promise<string> => {
    const { message } = (await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body })).json();
    return JSON.parse(/Invalid value: ("(?:[^"\\]|\\.)*")/.exec(message)![1]!);
  };
  const merged = await quoted("application/merge-patch+json", { immutable: 1, binaryData: { z: "", b: "" } });
  expect(merged).toMatch(
    /^{"apiVersion":"v1","binaryData":{"b":"","z":""},"data":{"b":"1","z":"\\u003c"},"immutable":1,/,
  );
  const patched = await quoted("application/json-patch+json", [{ op: "add", path: "/data/a", value: { y: 1, x: 2 } }]);
  expect(patched).toMatch(
    /^{"apiVersion":"v1","data":{"a":{"y":1,"x":2},"b":"1","z":"\\u003c"},"kind":"ConfigMap","metadata":{"name":"a",/,
  );
});

test("a patch without a version leaves nothing of the object, and names its fields in order", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a", { data: { x: "1" } }) });
  const type = "application/json-patch+json";
  const without = await admin.call("PATCH", `${CONFIG_MAPS}/a`, {
    type,
    body: [{ op: "remove", path: "/apiVersion" }],
  });
  expect(without.warnings).toEqual(['unknown field "data"', 'unknown field "metadata"']);
  const other = [{ op: "replace", path: "/apiVersion", value: "/x" }];
  expect((await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body: other })).json().message).toContain(
    'no kind "ConfigMap" is registered for version "x" in scheme',
  );
});

test("the zero time is a time", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
  const body = configMap("a", { metadata: { deletionTimestamp: "0001-01-01T00:00:00Z" } });
  expect((await admin.call("PUT", `${CONFIG_MAPS}/a`, { body })).json().message).toBe(
    'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: null: field is immutable',
  );
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } };
  await admin.call("POST", leases, { body: lease });
  const type = "application/strategic-merge-patch+json";
  const patch = { spec: { renewTime: "0001-01-01T00:00:00.000000Z" } };
  expect((await admin.call("PATCH", `${leases}/l`, { type, body: patch })).json().spec).toEqual({ renewTime: null });
});

test("a version of a new object is refused by the store, which a dry run does not ask", async () => {
  const { admin } = await testServer();
  const body = configMap("a", { metadata: { resourceVersion: "1" } });
  const dry = await admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body });
  expect([dry.code, dry.json().metadata.resourceVersion]).toEqual([201, "1"]);
  expect((await admin.call("POST", CONFIG_MAPS, { body })).json()).toMatchObject({
    code: 500,
    message: "resourceVersion should not be set on objects to be created",
  });
});

test("a dry run changes nothing and is not seen by watches", async () => {
  const { admin } = await testServer();
  const dry = await admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body: configMap("a") });
  expect([dry.code, dry.json().metadata.resourceVersion]).toEqual([201, undefined]);
  expect((await admin.call("GET", `${CONFIG_MAPS}/a`)).code).toBe(404);
  expect((await admin.call("POST", `${CONFIG_MAPS}?dryRun=Some`, { body: configMap("a") })).code).toBe(422);
});

test("a dry run looks which node ports are taken, and not which addresses", async () => {
  const { admin } = await testServer();
  const services = "/api/v1/namespaces/default/services";
  const service = (name: string, spec: object): object => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec,
  });
  const port = { port: 80, nodePort: 30555 };
  await admin.call("POST", services, {
    body: service("a", { type: "NodePort", clusterIP: "10.0.0.77", ports: [port] }),
  });
  const samePort = { body: service("b", { type: "NodePort", ports: [port] }) };
  expect((await admin.call("POST", `${services}?dryRun=All`, samePort)).json().message).toBe(
    'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30555: provided port is already allocated',
  );
  const sameAddress = { body: service("b", { clusterIP: "10.0.0.77", ports: [{ port: 80 }] }) };
  expect((await admin.call("POST", `${services}?dryRun=All`, sameAddress)).code).toBe(201);
  expect((await admin.call("POST", services, sameAddress)).code).toBe(422);
});

test("an empty list or map changes webhooks", async () => {
  const { admin } = await testServer();
  const group = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const clientConfig = { url: "https://127.0.0.1:1/x" };
  const webhook = { name: "a.b.c", clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"] };
  const kind = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration" };
  await admin.call("POST", group, { body: { ...kind, metadata: { name: "w" }, webhooks: [webhook] } });
  const generationWith = async (more: object): Promise<number> => {
    const body = { webhooks: [{ ...webhook, ...more }] };
    const type = "application/strategic-merge-patch+json";
    return (await admin.call("PATCH", `${group}/w?dryRun=All`, { type, body })).json().metadata.generation;
  };
  expect(await generationWith({ namespaceSelector: {} })).toBe(1);
  expect(await generationWith({ namespaceSelector: { matchLabels: {} } })).toBe(2);
  expect(await generationWith({ rules: [] })).toBe(2);
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

// biome-ignore format: one case per line
test.each([
  ["pods/x/binding",           { apiVersion: "v1", kind: "Binding", target: { kind: "Node", name: "n" } }],
  ["bindings",                 { apiVersion: "v1", kind: "Binding", target: { kind: "Node", name: "n" } }],
  ["pods/x/eviction",          { apiVersion: "policy/v1", kind: "Eviction" }],
  ["serviceaccounts/x/token",  { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["a"] } }],
  ["configmaps",               { apiVersion: "v1", kind: "ConfigMap" }],
])("%s: owners that are listed twice are warned about", async (path, body) => {
  const { admin } = await testServer();
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
  const metadata = { name: "x", ownerReferences: [owner, owner] };
  const answer = await admin.call("POST", `/api/v1/namespaces/default/${path}`, { body: { ...body, metadata } });
  expect(answer.warnings).toEqual([expect.stringMatching(/contains duplicate entries; .*; duplicate UID\(s\) observed: u$/)]);
});

test("a job without labels has those of its template, with the labels that find its pods", async () => {
  const { admin } = await testServer();
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
  };
  const job = (metadata: object): object => ({ apiVersion: "batch/v1", kind: "Job", metadata, spec: { template } });
  const create = async (metadata: object) =>
    (await admin.call("POST", "/apis/batch/v1/namespaces/default/jobs", { body: job(metadata) })).json();
  const found = (name: string, uid: string): object => ({
    a: "b",
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  });
  const plain = await create({ name: "j" });
  expect(plain.metadata.labels).toEqual(found("j", plain.metadata.uid));
  expect(plain.spec.template.metadata.labels).toEqual(found("j", plain.metadata.uid));
  const labelled = await create({ name: "k", labels: { a: "b" } });
  expect(labelled.metadata.labels).toEqual({ a: "b" });
  expect(labelled.spec.template.metadata.labels).toEqual(found("k", labelled.metadata.uid));
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
    // An object written meanwhile is not seen.
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
    message: '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  });
  expect((await admin.call("GET", `${CONFIG_MAPS}?labelSelector=a%20b`)).code).toBe(400);
});

test("unserved resources are not found, forbidden ones are refused", async () => {
  const { admin } = await testServer();
  expect(await admin.call("GET", "/apis/nowhere/v1/things")).toMatchObject({ code: 404, text: "404 page not found\n" });
  expect((await admin.call("PUT", CONFIG_MAPS, { body: {} })).json()).toMatchObject({
    code: 405,
    reason: "MethodNotAllowed",
  });
  const patch = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type: "text/plain", body: "x" });
  expect(patch.json()).toMatchObject({ code: 415, reason: "UnsupportedMediaType" });
});

// Requests that clients should not make are answered as by kube-apiserver 1.36.
// biome-ignore format: one request per line
const odd: readonly (readonly [method: string, path: string, body: unknown, type: string | undefined, code: number, message: string])[] = [
  ["POST",   CONFIG_MAPS,                            { metadata: { name: "v", resourceVersion: "5" } }, undefined, 500, "resourceVersion should not be set on objects to be created"],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   [],                                 "application/merge-patch+json", 400, "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   {},                                 "application/json-patch+json",  400, "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   [{ op: "test", path: "/data", value: 1 }], "application/json-patch+json", 422, "the server rejected our request due to an error in our request"],
  ["PUT",    `${CONFIG_MAPS}/odd`,                   { metadata: { name: "odd", resourceVersion: "x" } }, undefined, 500, 'strconv.ParseUint: parsing "x": invalid syntax'],
  ["DELETE", `${CONFIG_MAPS}/odd`,                   { kind: "Pod", apiVersion: "v1" },  undefined, 400, 'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  ["DELETE", `${CONFIG_MAPS}/odd`,                   { gracePeriodSeconds: "x" },        undefined, 400, "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64"],
  ["DELETE", `${CONFIG_MAPS}/odd?gracePeriodSeconds=x`, undefined,                       undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ["GET",    `${CONFIG_MAPS}?resourceVersion=abc`,   undefined,                          undefined, 400, 'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   [],                                 "application/strategic-merge-patch+json", 400, "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   { data: { a: 1 } },                 "application/strategic-merge-patch+json", 422, ' "" is invalid: patch: Invalid value: "map[data:map[a:1]]": cannot convert int64 to string'],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   { metadata: { name: [] } },         "application/strategic-merge-patch+json", 422, ' "" is invalid: patch: Invalid value: "map[metadata:map[name:[]]]": unrecognized type: string'],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   { metadata: { creationTimestamp: 0 } }, "application/strategic-merge-patch+json", 422, ' "" is invalid: patch: Invalid value: "map[metadata:map[creationTimestamp:0]]": json: cannot unmarshal number into Go value of type string'],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   { data: 1, metadata: "x" },         "application/strategic-merge-patch+json", 422, ' "" is invalid: patch: Invalid value: "map[data:1 metadata:x]": cannot restore struct from: string'],
  ["PATCH",  `${CONFIG_MAPS}/odd`,                   [{ op: "remove", path: "/apiVersion" }], "application/json-patch+json", 400, "the name of the object (odd based on URL) was undeterminable: name must be provided"],
  ["PATCH",  `${CONFIG_MAPS}/absent`,                "{",                                "application/merge-patch+json", 404, 'configmaps "absent" not found'],
  ["POST",   CONFIG_MAPS,                            "null",                             undefined, 422, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
  ["DELETE", `${CONFIG_MAPS}/odd`,                   [],                                 undefined, 400, 'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'],
  ["GET",    `${CONFIG_MAPS}/odd?export=true`,       undefined,                          undefined, 400, "the export parameter, deprecated since v1.14, is no longer supported"],
  ["POST",   "/api/v1/pods",                         {},                                 undefined, 405, "the server does not allow this method on the requested resource"],
  ["DELETE", "/api/v1/configmaps",                   undefined,                          undefined, 405, "the server does not allow this method on the requested resource"],
  ["GET",    "/api/v1/configmaps/odd",               undefined,                          undefined, 404, "the server could not find the requested resource"],
  ["DELETE", "/apis/authorization.k8s.io/v1/subjectaccessreviews/x", undefined,          undefined, 404, "the server could not find the requested resource"],
  ["GET",    "/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D5", undefined,   undefined, 400, '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ["GET",    "/api/v1/componentstatuses/nope",       undefined,                          undefined, 404, 'componentstatus "nope" not found'],
  ["POST",   "/api/v1/namespaces/default/pods/p/eviction", { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p", namespace: "other" } }, undefined, 400, "the namespace of the provided object does not match the namespace sent on the request"],
  ["POST",   "/api/v1/namespaces/default/serviceaccounts/default/token", { metadata: { namespace: "other" } }, undefined, 400, "the namespace of the provided object does not match the namespace sent on the request"],
  ["GET",    "/api/v1/nope",                         undefined,                          undefined, 404, "the server could not find the requested resource"],
  ["GET",    "/apis/apps/v2",                        undefined,                          undefined, 404, "the server could not find the requested resource"],
];

test("odd requests are rejected in the server's words", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("odd") });
  for (const [method, path, body, type, code, message] of odd) {
    const reply = await admin.call(method, path, { ...(body !== undefined && { body }), ...(type && { type }) });
    expect([path, reply.code, reply.json().message]).toEqual([path, code, message]);
  }
  const duplicate = '{"data":{"a":"1","a":"2"}}';
  const strict = await admin.call("PATCH", `${CONFIG_MAPS}/odd?fieldValidation=Strict`, {
    body: duplicate,
    type: "application/merge-patch+json",
  });
  expect([strict.code, strict.json().message]).toEqual([422, expect.stringContaining('duplicate field "data.a"')]);
});

test("a strategic patch is of the kind of the resource, whatever it names", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
  const type = "application/strategic-merge-patch+json";
  const body = { kind: "Secret", apiVersion: "apps/v1", data: { x: "2" }, other: 1, spec: { y: 1 } };
  const patched = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body });
  expect([patched.code, patched.json()]).toMatchObject([
    200,
    { kind: "ConfigMap", apiVersion: "v1", data: { x: "2" } },
  ]);
  expect(patched.warnings).toEqual(['unknown field "other"', 'unknown field "spec"']);
});

test.each([[[]], [[{}]]])("the owners of fields are forgotten where a patch sets them to %j", async (managedFields) => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
  const type = "application/merge-patch+json";
  const patched = await admin.call("PATCH", `${CONFIG_MAPS}/a`, { type, body: { metadata: { managedFields } } });
  expect([patched.code, patched.json().metadata.managedFields]).toEqual([200, undefined]);
});

test("one object of all namespaces, by its name", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
  const all = await admin.call("GET", "/api/v1/configmaps?fieldSelector=metadata.name%3Da");
  expect([all.code, all.json().items.length]).toEqual([200, 1]);
  const one = await admin.call(
    "GET",
    "/api/v1/configmaps?fieldSelector=metadata.name%3Da,metadata.namespace%3Ddefault",
  );
  expect([one.code, one.json().items.length]).toEqual([200, 1]);
});

test("a list of any version is not cut into pages, and a continued one names no version", async () => {
  const { admin } = await testServer();
  for (const name of ["a", "b"]) await admin.call("POST", CONFIG_MAPS, { body: configMap(name) });
  const any = (await admin.call("GET", `${CONFIG_MAPS}?limit=1&resourceVersion=0`)).json();
  expect([any.items.length, any.metadata.continue]).toEqual([2, undefined]);
  const { metadata } = (await admin.call("GET", `${CONFIG_MAPS}?limit=1`)).json();
  const both = await admin.call("GET", `${CONFIG_MAPS}?continue=${metadata.continue}&resourceVersion=5`);
  expect([both.code, both.json().message]).toEqual([
    400,
    "specifying resource version is not allowed when using continue",
  ]);
});

test("a dry run shows what would be stored", async () => {
  const { admin } = await testServer();
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  for (const query of ["?dryRun=All", ""]) {
    const role = await admin.call("POST", `${roles}${query}`, { body: { metadata: { name: "r" }, rules: [] } });
    expect([role.code, role.json().rules]).toEqual([201, null]);
  }
  const claim = {
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All";
  expect((await admin.call("POST", claims, { body: claim })).json().status).toEqual({ phase: "Pending" });
});

test("a watch of one object, by its old path", async () => {
  const { admin } = await testServer();
  await admin.call("POST", CONFIG_MAPS, { body: configMap("one") });
  await admin.call("POST", CONFIG_MAPS, { body: configMap("two") });
  const watch = await admin.watch("/api/v1/watch/namespaces/default/configmaps/two");
  await admin.call("DELETE", `${CONFIG_MAPS}/one`);
  await admin.call("DELETE", `${CONFIG_MAPS}/two`);
  const seen = [await watch.next(), await watch.next()];
  expect(seen.map((event) => [event?.type, event?.object.metadata.name])).toEqual([
    ["ADDED", "two"],
    ["DELETED", "two"],
  ]);
  watch.close();
});

test("a page of a compacted version is expired, with a token to continue", async () => {
  const { admin, server } = await testServer();
  for (const name of ["a", "b", "c"]) await admin.call("POST", CONFIG_MAPS, { body: configMap(name) });
  const { metadata } = (await admin.call("GET", `${CONFIG_MAPS}?limit=1`)).json();
  const later = await admin.call("POST", "/api/v1/namespaces", { body: { metadata: { name: "later" } } });
  await server.objects.compact(server.objects.feed.revision);
  const gone = await admin.call("GET", `${CONFIG_MAPS}?limit=1&continue=${metadata.continue}`);
  expect([gone.code, gone.json().reason]).toEqual([410, "Expired"]);
  const rest = (await admin.call("GET", `${CONFIG_MAPS}?continue=${gone.json().metadata.continue}`)).json();
  expect(rest.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["b", "c"]);
  expect(Number(rest.metadata.resourceVersion)).toBeGreaterThan(Number(later.json().metadata.resourceVersion));
});

test("history is compacted after two intervals, even without writes", async () => {
  const { admin, server } = await testServer();
  for (const name of ["a", "b"]) await admin.call("POST", CONFIG_MAPS, { body: configMap(name) });
  const { metadata } = (await admin.call("GET", `${CONFIG_MAPS}?limit=1`)).json();
  const stop = compactRegularly(server.objects, 0.02);
  const rest = `${CONFIG_MAPS}?limit=1&continue=${metadata.continue}`;
  while ((await admin.call("GET", rest)).code === 200) await new Promise((resolve) => setTimeout(resolve, 10));
  stop();
  expect((await admin.call("GET", rest)).json()).toMatchObject({ code: 410, reason: "Expired" });
});

test("an apply to a subresource creates nothing", async () => {
  const { admin } = await testServer();
  const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status: { message: "m" } };
  const url = "/api/v1/namespaces/default/pods/p/status?fieldManager=me";
  const reply = await admin.call("PATCH", url, { type: "application/apply-patch+yaml", body });
  expect([reply.code, reply.json().message]).toEqual([404, 'pods "p" not found']);
});

test("a pod that is deleted at once is answered as it was in its last generation", async () => {
  const { admin } = await testServer({ withoutPlugins: ["ServiceAccount"] });
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { containers: [{ name: "c", image: "i" }] };
  await admin.call("POST", pods, { body: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec } });
  const deleted = await admin.call("DELETE", `${pods}/p`, { body: { gracePeriodSeconds: 20 } });
  expect(deleted.json().metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
  expect((await admin.call("GET", `${pods}/p`)).code).toBe(404);
});

// biome-ignore format: one query per line
test.each([
  ["limit=9223372036854775808",            `strconv.ParseInt: parsing "9223372036854775808": value out of range`],
  ["resourceVersion=18446744073709551616", `invalid resource version: resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range`],
  ["continue=%25",                         "invalid continue token: continue key is not valid: illegal base64 data at input byte 0"],
  ["continue=e30",                         "invalid continue token: continue key is not valid: server does not recognize this encoded version "],
  ["continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6IjUiLCJzdGFydCI6IngifQ", "invalid continue token: continue key is not valid: json: cannot unmarshal string into Go struct field continueToken.rv of type int64"],
])("a list that cannot be: %s", async (query, message) => {
  const { admin } = await testServer();
  const reply = await admin.call("GET", `${CONFIG_MAPS}?${query}`);
  expect([reply.code, reply.json().message]).toEqual([400, message]);
});

test.each(["", "?dryRun=All"])(
  "preconditions of a deletion may be in the query%s, also of a collection",
  async (dryRun) => {
    const { server, admin } = await testServer();
    const query = (text: string): string => (dryRun === "" ? `?${text}` : `${dryRun}&${text}`);
    const { metadata } = (await admin.call("POST", CONFIG_MAPS, { body: configMap("kept") })).json();
    const one = (text: string) => admin.call("DELETE", `${CONFIG_MAPS}/kept${query(text)}`);
    const all = (text: string) =>
      admin.call("DELETE", `${CONFIG_MAPS}${query(`fieldSelector=metadata.name%3Dkept&${text}`)}`);
    for (const text of ["uid=another", "resourceVersion=1", `uid=${metadata.uid}&resourceVersion=1`]) {
      expect([text, (await one(text)).code, (await all(text)).code]).toEqual([text, 409, 409]);
    }
    expect((await all("resourceVersion=0")).code).toBe(409);
    expect((await one(`uid=${metadata.uid}&resourceVersion=${metadata.resourceVersion}`)).code).toBe(200);
    await server.close();
  },
);
