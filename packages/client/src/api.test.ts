import { expect, test } from "vitest";
import { Api } from "./api.ts";
import { fixedCredentials } from "./connection.ts";
import { discover } from "./discovery.ts";
import { EventRecorder } from "./event-recorder.ts";
import { fakeServer, send, THINGS, thing } from "./fake-server.testing.ts";
import { collectionPath, objectPath } from "./resource.ts";

// biome-ignore format: one case per line
test.each([
  [collectionPath({ group: "", version: "v1", resource: "pods" }),                                      "/api/v1/pods"],
  [collectionPath({ group: "apps", version: "v1", resource: "deployments" }, { namespace: "a" }),       "/apis/apps/v1/namespaces/a/deployments"],
  [objectPath({ group: "", version: "v1", resource: "pods" }, { namespace: "a", name: "../x?y#z" }),    "/api/v1/namespaces/a/pods/..%2Fx%3Fy%23z"],
  [objectPath({ group: "g", version: "v1", resource: "r" }, { name: "n", subresource: "status" }),      "/apis/g/v1/r/n/status"],
])("%s", (path, want) => expect(path).toBe(want));

test("pages, items with their kind, failures with their Status", async () => {
  const server = await fakeServer();
  for (const name of ["a", "b", "c"]) server.put({ metadata: { name } });
  const pages = [];
  for await (const page of server.api.pages(THINGS, { limit: 2 }))
    pages.push(page.items.map(({ kind, metadata }) => `${kind} ${metadata?.name}`));
  expect(pages).toEqual([["Thing a", "Thing b"], ["Thing c"]]);
  await expect(server.api.create(THINGS, thing("a"))).rejects.toMatchObject({
    code: 409,
    status: { reason: "AlreadyExists" },
  });
  expect(await server.api.find({ ...THINGS, resource: "thing" }, { name: "x" })).toBeUndefined();
});

test("a response that is not a Status, and a server that does not exist", async () => {
  const server = await fakeServer();
  server.handle = (_, response) => response.writeHead(502).end("<html>bad gateway</html>");
  await expect(server.api.get(THINGS, { name: "a" })).rejects.toThrow(
    "the server answered 502: <html>bad gateway</html>",
  );
  const gone = new Api({ server: "http://127.0.0.1:9", credentials: fixedCredentials({}), namespace: "" });
  await expect(gone.get(THINGS, { name: "a" })).rejects.toMatchObject({
    name: "ConnectionError",
    message: expect.stringContaining("connection refused"),
  });
});

test("who one is, and who one claims to be", async () => {
  const server = await fakeServer();
  const seen: unknown[] = [];
  server.handle = ({ headers, rawHeaders }, response) => {
    const groups = rawHeaders.flatMap((header, i) =>
      header.toLowerCase() === "impersonate-group" ? [rawHeaders[i + 1]] : [],
    );
    seen.push([headers.authorization, headers["impersonate-user"], groups]);
    return send(response, 200, {});
  };
  const connection = { ...server.api.connection, impersonate: { user: "ann", groups: ["a,b", "c"] } };
  const api = new Api(connection);
  await api.get(THINGS, { name: "a" });
  api.close();
  expect(seen).toEqual([["Bearer t", "ann", ["a,b", "c"]]]);
});

const v2 = {
  kind: "APIGroupDiscoveryList",
  items: [
    {
      metadata: { name: "apps" },
      versions: [
        {
          version: "v1",
          resources: [
            {
              resource: "deployments",
              responseKind: { kind: "Deployment" },
              scope: "Namespaced",
              verbs: ["get"],
              subresources: [{ subresource: "scale" }],
            },
          ],
        },
        { version: "v9", freshness: "Stale" },
      ],
    },
  ],
};
const deployments = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
  verbs: ["get"],
  subresources: ["scale"],
  singular: "",
  shortNames: [],
};

test("discovery in one response or in lists; groups that fail are named", async () => {
  const server = await fakeServer();
  server.handle = (request, response) =>
    send(response, 200, request.url === "/apis" ? v2 : { kind: "APIGroupDiscoveryList" });
  expect(await discover(server.api)).toEqual({ resources: [deployments], failed: ["apps/v9"] });
  const legacy: Record<string, unknown> = {
    "/api": { versions: [] },
    "/apis": { groups: [{ versions: [{ groupVersion: "apps/v1" }, { groupVersion: "dead/v1" }] }] },
    "/apis/apps/v1": {
      resources: [
        { name: "deployments", kind: "Deployment", namespaced: true, verbs: ["get"] },
        { name: "deployments/scale", kind: "Scale", namespaced: true },
      ],
    },
  };
  server.handle = ({ url = "" }, response) => send(response, legacy[url] ? 200 : 503, legacy[url] ?? {});
  expect(await discover(server.api)).toEqual({ resources: [deployments], failed: ["dead/v1"] });
});

test("events: the same one is counted, a flood is cut, failures do not matter", async () => {
  const server = await fakeServer();
  const sent: string[] = [];
  server.handle = (request, response, body) => {
    const { count, message } = JSON.parse(body);
    sent.push(`${request.method} ${message ?? ""} ${count}`);
    return send(response, 200, {});
  };
  const recorder = new EventRecorder(server.api, { component: "celadon", burst: 4, now: () => 0 });
  const event = { object: thing("a"), type: "Warning", reason: "Denied" } as const;
  for (const message of ["one", "one", "two", "one", "five"]) recorder.record({ ...event, message });
  await recorder.flush();
  expect(sent).toEqual(["POST one 1", "PATCH  2", "POST two 1", "PATCH  3"]);
  expect(recorder.dropped).toBe(1);
  server.handle = (_, response) => response.destroy();
  recorder.record({ ...event, object: thing("b"), message: "x" });
  await recorder.flush();
  expect(recorder.dropped).toBe(2);
});
