// The server under attack by somebody who knows HTTP: bytes on a socket, and no answer that the user's roles do not allow, for any path,
// headers and framing.

import { connect } from "node:net";
import { openMemory } from "@celadon/storage/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LaunchedServer, launch } from "../launch.ts";

let server: LaunchedServer;

const NS = "/api/v1/namespaces/default";
const RBAC = "rbac.authorization.k8s.io";

beforeAll(async () => {
  server = await launch({
    store: await openMemory(),
    insecure: true,
    tokens: {
      reader: { username: "reader" },
      actor: { username: "actor" },
      paths: { username: "paths" },
      admin: { username: "root", groups: ["system:masters"] },
    },
  });
  const create = async (path: string, body: object): Promise<void> => {
    const { code, text } = await server.client.call("POST", path, { body });
    expect(code, text).toBe(201);
  };
  await create(`${NS}/configmaps`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "one" },
    data: { a: "public" },
  });
  await create(`${NS}/configmaps`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "two" },
    data: { a: "hidden" },
  });
  await create(`${NS}/secrets`, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s" },
    stringData: { a: "hidden" },
  });
  const roles = `/apis/${RBAC}/v1`;
  const grant = async (name: string, rules: object[]): Promise<void> => {
    const metadata = { name };
    await create(`${roles}/clusterroles`, { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata, rules });
    await create(`${roles}/clusterrolebindings`, {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
      subjects: [{ kind: "User", apiGroup: RBAC, name }],
    });
  };
  const rule = (verbs: string[], resources: string[], resourceNames: string[]) => ({
    apiGroups: [""],
    verbs,
    resources,
    resourceNames,
  });
  await grant("reader", [rule(["get", "list", "watch"], ["configmaps"], ["one"])]);
  await grant("paths", [
    { verbs: ["get"], nonResourceURLs: ["/metrics/*", "/healthz/*", "/openapi/*", "/apis/*", "/version/*", "//*"] },
  ]);
  await grant("actor", [rule(["impersonate"], ["users"], ["reader"])]);
}, 120_000);
afterAll(() => server.close());

/** Sends bytes and resolves with everything that came until the connection ended. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text, "latin1"));
    let answer = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (answer += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const codesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const request = (line: string, ...headers: string[]): Promise<string> =>
  send([`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"));
const bearer = (token: string): string => `Authorization: Bearer ${token}`;

test("what the roles allow is answered", async () => {
  expect(await request(`GET ${NS}/configmaps/one`, bearer("reader"))).toContain("public");
  expect(codesOf(await request(`GET ${NS}/configmaps/two`, bearer("reader")))).toEqual([403]);
});

// biome-ignore format: one path per line
describe.each([
  `${NS}/configmaps/../secrets/s`,
  `${NS}/configmaps/one/../../secrets/s`,
  `${NS}/configmaps/one/../two`,
  `${NS}/configmaps/%2e%2e/secrets/s`,
  `${NS}/configmaps/one%2f..%2ftwo`,
  `${NS}/configmaps/%2e%2e%2fsecrets%2fs`,
  `${NS}/configmaps/one/..;/two`,
  `${NS}/configmaps/one;/two`,
  `${NS}/configmaps\\..\\secrets\\s`,
  `${NS}/configmaps/%5c..%5csecrets%5cs`,
  `${NS}//secrets/s`,
  `/${NS}/secrets/s`,
  `//api/v1/namespaces/default/secrets/s/`,
  `/./api/v1/namespaces/default/secrets/s`,
  `/api/v1/namespaces/./default/secrets/s`,
  `/api/v1/secrets`,
  `/API/V1/namespaces/default/secrets/s`,
  `/api/v1/Namespaces/default/Secrets/s`,
  `/api/v1/namespaces/default/SECRETS/s`,
  `${NS}/secrets/s/`,
  `${NS}/secrets/s%00`,
  `${NS}/secrets/s%20`,
  `${NS}/secrets/s?name=one`,
  `${NS}/secrets?fieldSelector=metadata.name%3Done&resource=configmaps`,
  `${NS}/configmaps?fieldSelector=metadata.name%3Dtwo`,
  `${NS}/configmaps?fieldSelector=metadata.name%3Dtwo&fieldSelector=metadata.name%3Done`,
  `${NS}/configmaps?fieldSelector=metadata.name!%3Done`,
  `${NS}/configmaps?fieldSelector=metadata.name%3D`,
  `${NS}/configmaps?fieldSelector=`,
  `${NS}/configmaps`,
  `/api/v1/watch/namespaces/default/secrets`,
  `/api/v1/watch/namespaces/default/configmaps/two`,
  `/api/v1/watch/namespaces/default/configmaps/one?fieldSelector=metadata.name%3Dtwo`,
  `/api/v1/watch/namespaces/default/configmaps/one?fieldSelector=metadata.name!%3Done`,
  `/api/v1/watch/namespaces/default/configmaps/one?fieldSelector=metadata.namespace%3Ddefault`,
  `/api/v1/watch/namespaces/default/configmaps?fieldSelector=metadata.name%3Done`,
  `/api/v1/watch/namespaces/default/configmaps/one/status`,
  `/%2Fapi/v1/namespaces/default/secrets/s`,
  `${NS}/configmaps/one/status/more`,
  `${NS}/configmaps/%zz`,
  `/api/v1/proxy/namespaces/default/secrets/s`,
  `/apis//v1/namespaces/default/secrets/s`,
  `/apis/v1/namespaces/default/secrets/s`,
  `/api/v1/namespaces/default/configmaps/one/status`,
  `http://127.0.0.1/api/v1/namespaces/default/secrets/s`,
  `/metrics`, `//metrics`, `/metrics/`, `/%6detrics`, `/healthz/../metrics`, `/version/../metrics`,
  `/logs`, `/debug/pprof`, `/configz`, `/.well-known/openid-configuration/..`, `/apis/../metrics`,
])("GET %s", (path) => {
  test("reveals nothing to somebody who may only read one config map", async () => {
    const answer = await request(`GET ${path}`, bearer("reader"));
    expect(answer).not.toContain("hidden");
    expect(answer).not.toContain("aGlkZGVu");
    expect(answer).not.toContain("apiserver_request_total");
    expect([400, 403, 404, 405]).toContain(codesOf(answer)[0]);
  });
  test("is refused without credentials", async () => {
    expect([400, 401]).toContain(codesOf(await request(`GET ${path}`))[0]);
  });
});

test("an old watch path shows the object it names, with or without a selector that names it too", async () => {
  for (const query of ["", "&fieldSelector=metadata.name%3Done", "&continue=x"]) {
    const answer = await request(
      `GET /api/v1/watch/namespaces/default/configmaps/one?timeoutSeconds=1${query}`,
      bearer("reader"),
    );
    expect([codesOf(answer), answer.includes("public"), answer.includes("hidden")]).toEqual([[200], true, false]);
  }
});

test.each(["POST", "PUT", "DELETE", "HEAD"])("an old watch path is there for GET alone: %s", async (method) => {
  const answer = await request(
    `${method} /api/v1/watch/namespaces/default/configmaps/one?timeoutSeconds=1`,
    bearer("reader"),
  );
  expect(codesOf(answer)).toEqual([405]);
});

test("rights to paths below one do not serve that one", async () => {
  // biome-ignore format: one path per line
  const cases: readonly (readonly [path: string, code: number])[] = [
    ["/metrics", 403], ["/metrics/", 404], ["/metrics//", 404], ["/metrics/slis", 200], ["/metrics/slis/", 404],
    ["/healthz/", 404], ["/healthz/etcd", 200], ["/healthz/etcd/", 404], ["/openapi/v3/", 404], ["/apis//", 404],
    ["/apis/", 200], ["/version/", 200], ["/version//", 200], ["//version", 404], ["/%2Fversion", 404], ["/%2F", 404],
  ];
  for (const [path, code] of cases)
    expect([path, ...codesOf(await request(`GET ${path}`, bearer("paths")))]).toEqual([path, code]);
});

test.each([
  ["/openid/v1/jwks", "application/json", 406],
  ["/openid/v1/jwks", "application/jwk-set+json", 200],
  ["/openid/v1/jwks", "*/*", 200],
  ["/.well-known/openid-configuration", "application/yaml", 406],
  ["/openapi/v2", "application/yaml", 406],
  ["/openapi/v3/api/v1", "text/html", 406],
  ["/openapi/v3", "text/html", 200],
] as const)("GET %s as %s: %i", async (path, accept, code) => {
  expect(codesOf(await request(`GET ${path}`, bearer("admin"), `Accept: ${accept}`))).toEqual([code]);
});

test("of two field selectors the first counts, for the decision as for the answer", async () => {
  const query = "fieldSelector=metadata.name%3Done&fieldSelector=metadata.name%3Dtwo";
  const answer = await request(`GET ${NS}/configmaps?${query}`, bearer("reader"));
  expect([codesOf(answer), answer.includes("public"), answer.includes("hidden")]).toEqual([[200], true, false]);
});

// biome-ignore format: one set of headers per line
test.each([
  ["X-HTTP-Method-Override: DELETE"], ["X-HTTP-Method: DELETE"], ["X-Method-Override: DELETE"],
  [`X-Original-URL: ${NS}/secrets/s`], [`X-Rewrite-URL: ${NS}/secrets/s`], ["X-Forwarded-Prefix: /api"],
  ["X-Remote-User: root", "X-Remote-Group: system:masters"], ["X-Forwarded-User: root"], ["X-Forwarded-For: 127.0.0.1"],
  ["Forwarded: for=127.0.0.1;by=root"], ["X-Client-Cert: root"], ["Proxy-Authorization: Bearer admin"], ["Cookie: Authorization=Bearer admin"],
])("headers that a proxy might set change nothing: %s", async (...headers) => {
  const answer = await request(`GET ${NS}/configmaps/one`, bearer("reader"), ...headers);
  expect([codesOf(answer), answer.includes("public")]).toEqual([[200], true]);
  expect(codesOf(await request(`GET ${NS}/secrets/s`, bearer("reader"), ...headers))).toEqual([403]);
  expect(codesOf(await request(`GET ${NS}/configmaps/one`, ...headers))).toEqual([401]);
});

// biome-ignore format: one case per line
test.each([
  ["no scheme",                ["Authorization: admin"],                                  401],
  ["another scheme",           ["Authorization: Basic YWRtaW46YWRtaW4="],                 401],
  ["an empty token",           ["Authorization: Bearer "],                                401],
  ["a token with more behind", ["Authorization: Bearer admin-"],                          401],
  ["a token in the query",     [],                                                        401],
  ["two headers, first good",  ["Authorization: Bearer reader", "Authorization: Bearer admin"], 403],
  ["two headers, first bad",   ["Authorization: Bearer wrong", "Authorization: Bearer admin"],  401],
  ["a token of no algorithm",  [`Authorization: Bearer ${jwt({ alg: "none" })}.`],        401],
  ["a token by a public key",  [`Authorization: Bearer ${jwt({ alg: "HS256" })}.AAAA`],   401],
  ["a prototype's name",       ["Authorization: Bearer __proto__"],                       401],
  ["a prototype's method",     ["Authorization: Bearer constructor"],                     401],
])("credentials: %s", async (_, headers, code) => {
  const path = headers.length === 0 ? `${NS}/secrets/s?access_token=admin&token=admin` : `${NS}/secrets/s`;
  expect(codesOf(await request(`GET ${path}`, ...headers))).toEqual([code]);
});

function jwt(head: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode(head)}.${encode({ iss: "https://kubernetes.default.svc.cluster.local", sub: "system:serviceaccount:kube-system:default", exp: 9e9 })}`;
}

// biome-ignore format: one case per line
test.each([
  ["a user one may be",            ["Impersonate-User: reader"],                                                        200],
  ["another",                      ["Impersonate-User: root"],                                                          403],
  ["with a group",                 ["Impersonate-User: reader", "Impersonate-Group: system:masters"],                   403],
  ["with a group in another case", ["Impersonate-User: reader", "impersonate-group: system:masters"],                   403],
  ["two users, first allowed",     ["Impersonate-User: reader", "Impersonate-User: root"],                              200],
  ["two users, first forbidden",   ["Impersonate-User: root", "Impersonate-User: reader"],                              403],
  ["a user with a comma",          ["Impersonate-User: reader, root"],                                                  403],
  ["two uids, first empty",        ["Impersonate-User: reader", "Impersonate-Uid:", "Impersonate-Uid: 1"],              200],
  ["a group without a user",       ["Impersonate-Group: system:masters"],                                               400],
  ["an empty user",                ["Impersonate-User:"],                                                               403],
  ["an empty user with a group",   ["Impersonate-User:", "Impersonate-Group: system:masters"],                          400],
  ["an extra",                     ["Impersonate-User: reader", "Impersonate-Extra-scope: all"],                        403],
  ["a prototype as an extra",      ["Impersonate-User: reader", "Impersonate-Extra-__proto__: all"],                    403],
  ["a uid",                        ["Impersonate-User: reader", "Impersonate-Uid: 1"],                                  403],
  ["an unknown header",            ["Impersonate-User: reader", "Impersonate-Admin: yes"],                              200],
  ["the system itself",            ["Impersonate-User: system:apiserver"],                                              403],
  ["nobody",                       ["Impersonate-User: system:anonymous"],                                              403],
])("impersonation: %s", async (_, headers, code) => {
  const answer = await request(`GET ${NS}/configmaps/one`, bearer("actor"), ...headers);
  expect([codesOf(answer), answer.includes("hidden")]).toEqual([[code], false]);
  // Without credentials nobody is impersonated.
  expect(codesOf(await request(`GET ${NS}/configmaps/one`, ...headers))).toEqual([401]);
});

describe("many headers", () => {
  const flood = (count: number): string[] => Array.from({ length: count }, (_, at) => `B${at.toString(36)}: 1`);

  // Node keeps 2,000 headers by default, and drops the rest.
  test.each([0, 1_990, 1_999, 2_000, 3_000, 5_000])("none is lost behind %i others", async (count) => {
    const path = `${NS}/configmaps/two`;
    expect(codesOf(await request(`GET ${path}`, bearer("admin"), ...flood(count)))).toEqual([200]);
    const impersonated = await request(`GET ${path}`, bearer("admin"), ...flood(count), "Impersonate-User: reader");
    expect([codesOf(impersonated), impersonated.includes("hidden")]).toEqual([[403], false]);
    expect(codesOf(await request(`GET ${path}`, ...flood(count), bearer("reader")))).toEqual([403]);
    const groups = ["Impersonate-User: reader", ...flood(count), "Impersonate-Group: nobody"];
    expect(codesOf(await request(`GET ${NS}/configmaps/one`, bearer("actor"), ...groups))).toEqual([403]);
  });

  test("beyond the limit of bytes the request is rejected", async () => {
    const headers = [bearer("admin"), ...flood(20_000), "Impersonate-User: reader"];
    expect(codesOf(await request(`GET ${NS}/configmaps/two`, ...headers))).toEqual([431]);
  });

  test("trailers are no headers", async () => {
    const head = [
      `POST ${NS}/configmaps?dryRun=All HTTP/1.1`,
      "Host: x",
      "Connection: close",
      "Transfer-Encoding: chunked",
    ];
    const body = '{"metadata":{"name":"t"}}';
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`;
    const sent = (before: string[], after: string[]): string =>
      `${[...head, "Content-Type: application/json", ...before].join("\r\n")}\r\n\r\n${chunks}${after.map((line) => `${line}\r\n`).join("")}\r\n`;
    expect(codesOf(await send(sent([bearer("admin")], ["Impersonate-User: reader"])))).toEqual([201]);
    expect(codesOf(await send(sent([], [bearer("admin")])))).toEqual([401]);
    expect(codesOf(await send(sent([bearer("reader")], [bearer("admin")])))).toEqual([403]);
  });

  test("every request of a connection is decided by its own headers", async () => {
    const one = (token: string, ...more: string[]): string =>
      [`GET ${NS}/configmaps/two HTTP/1.1`, "Host: x", bearer(token), ...more, "", ""].join("\r\n");
    const pipelined = [
      one("admin"),
      one("reader"),
      one("admin", "Impersonate-User: reader"),
      one("admin", "Connection: close"),
    ];
    expect(codesOf(await send(pipelined.join("")))).toEqual([200, 403, 403, 200]);
  });

  test.each(["Upgrade: websocket", "Upgrade: h2c", "Upgrade: SPDY/3.1"])("%s changes nothing", async (upgrade) => {
    const upgraded = (token: string): Promise<string> =>
      send(
        [
          `GET ${NS}/configmaps/two HTTP/1.1`,
          "Host: x",
          "Connection: Upgrade, close",
          upgrade,
          bearer(token),
          "",
          "",
        ].join("\r\n"),
      );
    expect(codesOf(await upgraded("reader"))).toEqual([403]);
    expect(codesOf(await upgraded("admin"))).toEqual([200]);
  });

  test("of HTTP 1.0 too", async () => {
    const old = (...headers: string[]): Promise<string> =>
      send([`GET ${NS}/configmaps/two HTTP/1.0`, ...headers, "", ""].join("\r\n"));
    expect(codesOf(await old(bearer("admin"), ...flood(2_500), "Impersonate-User: reader"))).toEqual([403]);
    expect(codesOf(await old())).toEqual([401]);
  });
});

test("names are read as UTF-8", async () => {
  const bytes = (text: string): string => Buffer.from(text).toString("latin1");
  const review = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
  const head = [
    "POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1",
    "Host: x",
    "Connection: close",
    bearer("admin"),
  ];
  const more = [
    `Impersonate-User: ${bytes("jos\u00e9, \u6c34")}`,
    `Impersonate-Group: ${bytes("\u00fc")}`,
    "Content-Type: application/json",
  ];
  const answer = await send(`${[...head, ...more, `Content-Length: ${review.length}`].join("\r\n")}\r\n\r\n${review}`);
  const text = Buffer.from(answer, "latin1").toString("utf8");
  expect(text).toContain('"username":"jos\u00e9, \u6c34"');
  expect(text).toContain('"\u00fc"');
});

const post = (...head: string[]): string =>
  [
    `POST ${NS}/configmaps?dryRun=All HTTP/1.1`,
    "Host: x",
    bearer("admin"),
    "Content-Type: application/json",
    ...head,
  ].join("\r\n");
const smuggled = `GET ${NS}/secrets/s HTTP/1.1\r\nHost: x\r\n\r\n`;

// biome-ignore format: one request per line
test.each([
  ["both lengths",            `${post("Content-Length: 4", "Transfer-Encoding: chunked")}\r\n\r\n0\r\n\r\n${smuggled}`],
  ["two hosts",               `GET ${NS}/configmaps/one HTTP/1.1\r\nHost: x\r\nhost: y\r\n${bearer("admin")}\r\nConnection: close\r\n\r\n`],
  ["two lengths",             `${post("Content-Length: 0", "Content-Length: 44")}\r\n\r\n${smuggled}`],
  ["a negative length",       `${post("Content-Length: -1")}\r\n\r\n${smuggled}`],
  ["a length with a sign",    `${post("Content-Length: +0")}\r\n\r\n${smuggled}`],
  ["an unknown coding",       `${post("Transfer-Encoding: xchunked")}\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a folded header",         `${post("X-A: b", " Impersonate-User: root")}\r\n\r\n`],
  ["a space before a colon",  `${post("Content-Length : 0")}\r\n\r\n${smuggled}`],
  ["a null in a header",      `${post("X-A: b\0c")}\r\n\r\n`],
  ["a bare line feed",        `GET ${NS}/configmaps/one HTTP/1.1\nHost: x\n\n`],
  ["another protocol",        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
])("framing: %s is answered with a Status and the connection ends", async (_, text) => {
  const answer = await send(text);
  expect(codesOf(answer)).toEqual([400]);
  expect(answer).toContain('"kind":"Status"');
  expect(answer).not.toContain("aGlkZGVu");
});

test("text of users becomes no header", async () => {
  const body = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x" },
    "a\r\nX-Injected: yes": 1,
  });
  const answer = await send(
    `${post(`Content-Length: ${body.length}`, "Connection: close", "Audit-ID: mine")}\r\n\r\n${body}`,
  );
  expect(codesOf(answer)).toEqual([201]);
  expect(answer).toMatch(/^warning: 299 - "unknown field/im);
  expect(answer).not.toMatch(/^x-injected/im);
});

test.each(["TRACE", "OPTIONS", "PROPFIND", "PURGE"])("%s does nothing", async (method) => {
  expect(codesOf(await request(`${method} ${NS}/configmaps/one`, bearer("reader")))).toEqual([403]);
  expect(codesOf(await request(`${method} ${NS}/configmaps/one`, bearer("admin")))).toEqual([405]);
  expect(codesOf(await request(`${method} ${NS}/configmaps/one`))).toEqual([401]);
});
