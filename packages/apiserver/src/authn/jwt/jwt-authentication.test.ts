// Tokens of an issuer on the loopback address: who is let in, and who is not.

import { acceptAuthentication, type CompiledAuthentication } from "@celadon/kube-cel/access";
import { openMemory } from "@celadon/storage/memory";
import { generateKeyPair } from "jose";
import { afterAll, beforeEach, expect, test } from "vitest";
import { launch } from "../../launch.ts";
import { type TestIssuer, testIssuer, tokenOf } from "./issuer.testing.ts";
import { JwtAuthentication } from "./jwt-authentication.ts";

const issuer = await testIssuer();
const key = await issuer.addKey("one");
const stranger = (await generateKeyPair("RS256")).privateKey;
afterAll(() => issuer.close());

const configured = (
  of: Pick<TestIssuer, "url" | "ca">,
  more: Readonly<Record<string, unknown>> = {},
  top: Readonly<Record<string, unknown>> = {},
): CompiledAuthentication => {
  const { resource, status } = acceptAuthentication({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthenticationConfiguration",
    jwt: [
      {
        issuer: { url: of.url, audiences: ["app"], certificateAuthority: of.ca },
        claimMappings: { username: { expression: "'oidc:' + claims.sub" }, groups: { claim: "groups", prefix: "" } },
        userValidationRules: [{ expression: "!user.groups.exists(g, g.startsWith('system:'))", message: "no system" }],
        ...more,
      },
    ],
    ...top,
  } as never);
  if (status !== undefined) throw new Error(status.message);
  return resource!;
};

let problems: string[] = [];
let seconds = 0;
const started = Date.now();
const authentication = new JwtAuthentication({
  now: () => started + seconds * 1000,
  observe: (problem) => problems.push(problem),
});
authentication.use(configured(issuer));
beforeEach(() => {
  problems = [];
});

test("a token of the issuer is its user", async () => {
  const token = await tokenOf(issuer, key, { groups: ["dev"], jti: "7" });
  expect(await authentication.user(token)).toEqual({
    username: "oidc:jane",
    groups: ["dev"],
    extra: { "authentication.kubernetes.io/credential-id": ["JTI=7"] },
  });
});

const unsigned = (header: object, claims: object): string =>
  [header, claims, ""]
    .map((part) => Buffer.from(part === "" ? "" : JSON.stringify(part)).toString("base64url"))
    .join(".");
const good = { iss: issuer.url, aud: "app", sub: "jane", exp: 4_102_444_800 };

// biome-ignore format: one case per line
const refused: readonly (readonly [name: string, token: () => Promise<string> | string, problem: string | undefined])[] = [
  ["another's signature",         () => tokenOf(issuer, stranger),                                                  `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["no signature",                () => unsigned({ alg: "none" }, good),                                            `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["a secret instead of a key",   () => tokenOf(issuer, Buffer.from("a".repeat(64)), {}, { alg: "HS256" }),         `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["an empty signature",          () => unsigned({ alg: "RS256", kid: "one" }, good),                               `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["an unknown extension",        async () => unsigned({ alg: "RS256", kid: "one", crit: ["x"], x: 1 }, good),      `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["changed claims",              async () => { const [h, , s] = (await tokenOf(issuer, key)).split("."); return [h, Buffer.from(JSON.stringify({ ...good, sub: "root" })).toString("base64url"), s].join("."); }, `oidc: verify token: no key of ${issuer.url} has signed it`],
  ["another issuer",              () => tokenOf({ url: "https://other.example" }, key),                             undefined],
  ["another audience",            () => tokenOf(issuer, key, { aud: "other" }),                                     'oidc: verify token: oidc: expected audience "app" got ["other"]'],
  ["an expired token",            () => tokenOf(issuer, key, { exp: 1000 }),                                        "oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:16:40 +0000 UTC)"],
  ["a token without an end",      () => tokenOf(issuer, key, { exp: undefined }),                                   "oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)"],
  ["a group of the system",       () => tokenOf(issuer, key, { groups: ["system:masters"] }),                       "oidc: error evaluating user info validation rule: validation expression '!user.groups.exists(g, g.startsWith('system:'))' failed: no system"],
  ["no subject",                  () => tokenOf(issuer, key, { sub: undefined }),                                   "oidc: error evaluating username claim expression: expression ''oidc:' + claims.sub' resulted in error: no such key: sub"],
  ["no token",                    () => "secret",                                                                   undefined],
  ["half a token",                () => "a.b",                                                                      undefined],
  ["a list for claims",           () => `e30.${Buffer.from("[1]").toString("base64url")}.e30`,                      undefined],
];
test.each(refused)("not let in: %s", async (_, token, problem) => {
  expect(await authentication.user(await token())).toBeUndefined();
  expect(problems).toEqual(problem === undefined ? [] : [problem]);
});

test("a new key is found, and unknown ones cause one request in a while", async () => {
  const next = await issuer.addKey("two", "ES256");
  seconds += 11;
  const before = issuer.asked.length;
  const token = await tokenOf(issuer, next, {}, { alg: "ES256", kid: "two" });
  expect(await authentication.user(token)).toMatchObject({ username: "oidc:jane" });
  for (let i = 0; i < 20; i++) {
    expect(await authentication.user(await tokenOf(issuer, stranger, {}, { kid: `${i}` }))).toBeUndefined();
  }
  expect(issuer.asked.slice(before)).toEqual(["/.well-known/openid-configuration", "/keys"]);
});

test("keys that cannot be read again are used for an hour", async () => {
  const [token, keys] = [await tokenOf(issuer, key, { exp: 4_102_444_800 }), issuer.answers.get("/keys")!];
  issuer.answers.delete("/keys");
  seconds += 600;
  expect(await authentication.user(token)).toBeDefined();
  seconds += 3600;
  expect(await authentication.user(token)).toBeUndefined();
  issuer.answers.set("/keys", keys);
  seconds += 11;
  expect(await authentication.user(token)).toBeDefined();
});

// biome-ignore format: one case per line
const documents = [
  { name: "of another issuer",     answer: JSON.stringify({ issuer: "https://other.example", jwks_uri: `${issuer.url}/keys` }), problem: "issuer did not match the issuer returned by provider" },
  { name: "with keys in the clear", answer: JSON.stringify({ issuer: issuer.url, jwks_uri: "http://127.0.0.1/keys" }),          problem: "has no jwks_uri with https" },
  { name: "that is no JSON",       answer: "<html>",                                                                            problem: "is not JSON" },
  { name: "that never ends",       answer: " ".repeat(2 * 1024 * 1024),                                                         problem: "more than 1048576 bytes" },
];
test.each(documents)("a discovery document $name", async ({ answer, problem }) => {
  const place = "/.well-known/openid-configuration";
  const before = issuer.answers.get(place)!;
  issuer.answers.set(place, answer);
  const found = await new Promise<string>((observe) => new JwtAuthentication({ observe }).use(configured(issuer)));
  issuer.answers.set(place, before);
  expect(found).toContain(problem);
});

test("an issuer whose certificate is not trusted has no keys", async () => {
  const unknown = await testIssuer();
  await unknown.close();
  const other = { url: issuer.url, ca: unknown.ca };
  const found = await new Promise<string>((observe) => new JwtAuthentication({ observe }).use(configured(other)));
  expect(found).toMatch(/certificate/);
});

test("a server with a configuration, and with another after it", async () => {
  const current = new JwtAuthentication();
  current.use(configured(issuer, {}, { anonymous: { enabled: true, conditions: [{ path: "/version" }] } }));
  const server = await launch({ authentication: current, store: await openMemory() });
  const get = async (path: string, token?: string): Promise<number> => {
    const headers = new Map(token === undefined ? [] : [["authorization", `Bearer ${token}`]]);
    const { answer } = await server.server.serve({
      method: "GET",
      path,
      query: "",
      header: (name) => headers.get(name),
      headerValues: (name) => [headers.get(name) ?? []].flat(),
      headerNames: () => [...headers.keys()],
      body: async () => new Uint8Array(),
      peer: undefined,
      remoteAddress: "127.0.0.1",
      signal: new AbortController().signal,
    });
    return "code" in answer ? answer.code : 200;
  };
  try {
    const token = await tokenOf(issuer, key);
    expect(await get("/apis", token)).toBe(200);
    expect(await get("/api/v1/namespaces", token)).toBe(403);
    expect(await get("/api/v1/namespaces", await tokenOf(issuer, stranger))).toBe(401);
    expect([await get("/version"), await get("/version", "wrong"), await get("/apis"), await get("/version/")]).toEqual(
      [200, 401, 401, 401],
    );
    const review = await server.client.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
    });
    expect(review.json().status).toMatchObject({ authenticated: true, user: { username: "oidc:jane" } });
    expect(review.json().status.user.groups).toEqual(["system:authenticated"]);
    current.use(configured({ url: "https://other.example", ca: issuer.ca }));
    expect([await get("/apis", token), await get("/version")]).toEqual([401, 401]);
  } finally {
    await server.close();
  }
});
