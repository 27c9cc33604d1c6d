// Requests without a user, at paths that a file opens to everybody, and tokens among the protocols of a WebSocket.

import type { UserInfo } from "@celadon/admission";
import { expect, test } from "vitest";
import type { Call } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { Authenticator } from "./authenticator.ts";
import { staticTokens } from "./static-tokens.ts";

const OPEN: ReadonlySet<string> = new Set(["/healthz", "/a b"]);
const authenticator = new Authenticator([staticTokens(new Map([["invalid", { username: "ada" }]]))], false, {
  user: () => undefined,
  isAnonymous: (path) => OPEN.has(path),
});

async function nameAt(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const call: Call = {
    method: "GET",
    path,
    query: "",
    header: (name) => headers[name],
    headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    headerNames: () => Object.keys(headers),
    body: async () => new Uint8Array(),
    peer: undefined,
    remoteAddress: "127.0.0.1",
    signal: new AbortController().signal,
  };
  try {
    const user: UserInfo = await authenticator.authenticate(call, () => {});
    return user.username ?? "";
  } catch (error) {
    if (error instanceof StatusError) return "nobody";
    throw error;
  }
}

// biome-ignore format: one case per line
const paths = [
  { path: "/healthz",               user: "system:anonymous" },
  { path: "/health%7A",             user: "system:anonymous" },
  { path: "/a%20b",                 user: "system:anonymous" },
  { path: "/a%2520b",               user: "nobody" },
  { path: "//healthz",              user: "nobody" },
  { path: "/healthz/",              user: "nobody" },
  { path: "/healthz/../api",        user: "nobody" },
  { path: "/healthz%2F..%2Fapi",    user: "nobody" },
  { path: "/healthz/ping",          user: "nobody" },
  { path: "/HEALTHZ",               user: "nobody" },
  { path: "/healthz%00",            user: "nobody" },
];
test.each(paths)("without a user at $path: $user", async ({ path, user }) => {
  expect(await nameAt(path)).toBe(user);
});

const PREFIX = "base64url.bearer.authorization.k8s.io.";
const encoded = (text: string): string => PREFIX + Buffer.from(text).toString("base64url");

// biome-ignore format: one case per line
const protocols = [
  { name: "a token",                  offered: `${encoded("invalid")}, v1`,                        user: "ada" },
  { name: "a wrong token",            offered: `${encoded("wrong")}, v1`,                          user: "nobody" },
  { name: "two tokens",               offered: `${encoded("a")}, ${encoded("b")}, v1`,             user: "nobody" },
  { name: "a token alone",            offered: encoded("wrong"),                                   user: "nobody" },
  { name: "a token of other letters", offered: `${PREFIX}!, v1`,                                   user: "nobody" },
  { name: "no token",                 offered: "v1",                                               user: "system:anonymous" },
];
test.each(protocols)("a WebSocket whose protocols have $name: $user", async ({ offered, user }) => {
  const headers = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-protocol": offered };
  expect(await nameAt("/healthz", headers)).toBe(user);
});
