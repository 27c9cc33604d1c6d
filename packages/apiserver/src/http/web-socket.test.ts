// Watches over WebSockets, and other upgrades; recorded from kube-apiserver 1.36.4 with raw connections.

import { once } from "node:events";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect } from "node:tls";
import { openMemory } from "@celadon/storage/memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LaunchedServer, launch } from "../launch.ts";
import type { Call } from "../wire/call.ts";
import { frameOf, PING } from "./frames.ts";
import { openWebSocket } from "./web-socket.ts";

let launched: LaunchedServer;

beforeAll(async () => {
  const tokens = { secret: { username: "ann", groups: ["system:masters"] } };
  launched = await launch({ store: openMemory(), tokens });
});
afterAll(() => launched.close());

const WATCH = "/api/v1/namespaces?watch=true&fieldSelector=metadata.name=default";
const KEY = "MDEyMzQ1Njc4OWFiY2RlZg==";
const HANDSHAKE = {
  Host: "localhost",
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Key": KEY,
  "Sec-WebSocket-Version": "13",
  Origin: "https://localhost",
  Authorization: "Bearer secret",
};

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** Sent after the first bytes of the answer. */
  readonly reply?: Uint8Array;
}

/** Everything that the server writes until the text comes, or the connection ends. */
function ask(
  { path = WATCH, method = "GET", headers = {}, body = "", reply }: Sent,
  until: string | undefined,
): Promise<string> {
  const lines = Object.entries({ ...HANDSHAKE, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: launched.port, ca: launched.caCertificate }, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`),
    );
    let got = "";
    let hasSent = reply === undefined;
    socket.on("data", (chunk: Buffer) => {
      got += chunk.toString("latin1");
      if (!hasSent) {
        hasSent = true;
        socket.write(reply!);
      }
      if (until !== undefined && got.includes(until)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(got));
  });
}

const ADDED = '{"type":"ADDED","object":{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"';
const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\n";

test("events are messages of text", async () => {
  const got = await ask({}, "}\n");
  expect(got).toContain(
    `${SWITCHED}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: BACScCJPNqyz+UBoqMH89VmURoA=\r\n\r\n\x81~`,
  );
  expect(got).toContain(ADDED);
});

// biome-ignore format: one request per line
test.each<[string, Sent, string, string | undefined]>([
  ["events of protobuf are bytes",           { headers: { Accept: "application/vnd.kubernetes.protobuf" } },                      "\x0a\x05ADDED",                                  "Namespace"],
  ["the end is a close frame",               { path: `${WATCH}&timeoutSeconds=1` },                                             "\x88\x02\x03\xe8",                               undefined],
  ["a ping is answered",                     { reply: Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69]) },                         "\x8a\x02hi",                                     "\x8a\x02hi"],
  ["a close is answered",                    { reply: Buffer.from([0x88, 0x82, 0, 0, 0, 0, 3, 0xe8]) },                            "\x88\x02\x03\xe8",                               undefined],
  ["frames without a mask are an error",     { reply: frameOf(PING, Buffer.from("hi")) },                                          "\x88\x02\x03\xea",                               undefined],
  ["one protocol is chosen",                 { headers: { "Sec-WebSocket-Protocol": "base64.binary.k8s.io" } },                   "\r\nSec-WebSocket-Protocol: base64.binary.k8s.io\r\n", ADDED],
  ["several protocols are refused",          { headers: { "Sec-WebSocket-Protocol": "binary.k8s.io, other" } },                   "HTTP/1.1 400 Bad Request\r\n\r\n",               undefined],
  ["an origin is needed",                    { headers: { Origin: undefined } },                                                  "HTTP/1.1 403 Forbidden\r\n\r\n",                 undefined],
  ["an origin is a URI",                     { headers: { Origin: "null" } },                                                     "HTTP/1.1 403 Forbidden\r\n\r\n",                 undefined],
  ["a key is needed",                        { headers: { "Sec-WebSocket-Key": undefined } },                                     "HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response", undefined],
  ["a version is needed",                    { headers: { "Sec-WebSocket-Version": "8" } },                                       "HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version", undefined],
  ["a connection of several tokens",         { headers: { Connection: "keep-alive, Upgrade" } },                                  SWITCHED,                                         ADDED],
  ["an old watch path",                      { path: "/api/v1/watch/namespaces" },                                                SWITCHED,                                         ADDED],
  ["a refused watch is an ordinary answer",  { headers: { "Impersonate-User": "nobody" } },                                       'cannot watch resource \\"namespaces\\"',         undefined],
  ["who is nobody is refused",               { headers: { Authorization: undefined } },                                           "HTTP/1.1 401 Unauthorized",                      undefined],
  ["a token among the protocols",            { headers: { Authorization: undefined, "Sec-WebSocket-Protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0, x" } }, "\r\nSec-WebSocket-Protocol: x\r\n", ADDED],
  ["a token alone among the protocols",      { headers: { Authorization: undefined, "Sec-WebSocket-Protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0" } },    "HTTP/1.1 401 Unauthorized",         undefined],
  ["a token that is not base64",             { headers: { Authorization: undefined, "Sec-WebSocket-Protocol": "base64url.bearer.authorization.k8s.io.!!, x" } },       "HTTP/1.1 401 Unauthorized",         undefined],
  ["a token without a WebSocket",            { headers: { Authorization: undefined, Upgrade: undefined, Connection: "close", "Sec-WebSocket-Protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0, x" } }, "HTTP/1.1 401 Unauthorized", undefined],
  ["another protocol is not served",         { headers: { Upgrade: "h2c" } },                                                     "HTTP/1.1 200 OK",                                ADDED],
  ["a list has no stream",                   { path: "/api/v1/namespaces/default" },                                              "HTTP/1.1 200 OK",                                '"phase":"Active"'],
  ["a body is read",                         { path: "/api/v1/namespaces", method: "POST", headers: { "Content-Length": "2", "Content-Type": "application/json" }, body: "{}" }, "HTTP/1.1 422 Unprocessable Entity", '"code":422'],
  ["nor is there one for a pod",             { path: "/api/v1/namespaces/default/pods/none/exec?command=ls", headers: { "Sec-WebSocket-Protocol": "v5.channel.k8s.io" } }, 'pods \\"none\\" not found', '"code":404'],
])("%s", async (_, sent, expected, until) => {
  expect(await ask(sent, until)).toContain(expected);
});

test("a connection whose upgrade was not served serves the next request", async () => {
  const second =
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n";
  const got = await ask({ path: "/api/v1/namespaces/default", body: second }, undefined);
  expect(got.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("a connection may ask for upgrades again and again: nothing is kept of those before", async () => {
  const warnings: Error[] = [];
  const listener = (warning: Error): void => void warnings.push(warning);
  process.on("warning", listener);
  const request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
  const socket = connect({ host: "127.0.0.1", port: launched.port, ca: launched.caCertificate });
  for (let i = 0; i < 30; i++) {
    socket.write(request);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 \d+ /);
  }
  socket.destroy();
  await new Promise(setImmediate);
  process.off("warning", listener);
  expect(warnings).toEqual([]);
});

test("signs of life that are never read are not answered without end", () => {
  const socket = new Duplex({ read: () => {}, write: () => {} });
  const headers: Readonly<Record<string, string>> = {
    "sec-websocket-key": KEY,
    "sec-websocket-version": "13",
    origin: "https://localhost",
  };
  const call = { header: (name: string) => headers[name], headerValues: () => [] } as unknown as Call;
  const stream = { code: 200, type: "application/json", open: () => {} };
  openWebSocket(call, socket as unknown as Socket, Buffer.alloc(0), stream);
  const payload = Buffer.alloc(125, 0x61);
  const masked = Buffer.concat([Buffer.from([0x80 | PING, 0x80 | 125, 0, 0, 0, 0]), payload]);
  for (let i = 0; i < 4_000; i++) socket.emit("data", masked);
  expect(socket.writableLength).toBeGreaterThan(32 * 1024);
  expect(socket.writableLength).toBeLessThan(128 * 1024);
  socket.destroy();
});
