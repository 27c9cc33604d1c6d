// Signing requests for the administrators' group are refused in every form in which Go reads the group.

import { beforeAll, expect, test } from "vitest";
import { type TestServer, testServer } from "../../server.testing.ts";

const SIGNING = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const MASTERS = "system:masters";
const CLIENT = "kubernetes.io/kube-apiserver-client";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  return () => running.server.close();
}, 60_000);

function der(tag: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const oid = (hex: string): Buffer => der(6, Buffer.from(hex, "hex"));
const name = (type: string, tag: number, value: string | Uint8Array): Buffer =>
  der(0x31, der(0x30, oid(type), der(tag, value)));
const UTF8 = 0x0c;
const BMP = 0x1e;
const T61 = 0x14;
const bmp = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

/** A key of Ed25519 and a signature that nobody verifies before signing. */
const ED25519 = der(0x30, oid("2b6570"));
const KEY = der(0x30, ED25519, der(3, Buffer.alloc(33)));

function request(...organizations: readonly Buffer[]): Buffer {
  const subject = der(0x30, ...organizations, name("550403", UTF8, "eve"));
  const info = der(0x30, der(2, Buffer.from([0])), subject, KEY, der(0xa0));
  return der(0x30, info, ED25519, der(3, Buffer.alloc(65)));
}

const organization = (tag: number, value: string | Uint8Array): Buffer => name("55040a", tag, value);
const block = (bytes: Buffer, label = "CERTIFICATE REQUEST", headers = ""): string =>
  `-----BEGIN ${label}-----\n${headers}${bytes.toString("base64")}\n-----END ${label}-----\n`;

const masters = request(organization(UTF8, MASTERS));
const dev = request(organization(UTF8, "dev"));
const NOT_ALLOWED = `use of ${CLIENT} signer with ${MASTERS} group is not allowed`;
const BROKEN = "-----BEGIN CERTIFICATE REQUEST-----\n!!!\n-----END CERTIFICATE REQUEST-----\n";

// biome-ignore format: one case per line
const cases: readonly (readonly [title: string, pem: string, refusal: string | undefined])[] = [
  ["another group",                block(dev),                                                          undefined],
  ["UTF8String",                   block(masters),                                                      NOT_ALLOWED],
  ["BMPString",                    block(request(organization(BMP, bmp(MASTERS)))),                     NOT_ALLOWED],
  ["T61String",                    block(request(organization(T61, MASTERS))),                          NOT_ALLOWED],
  ["one of several organizations", block(request(organization(UTF8, "dev"), organization(BMP, bmp(MASTERS)))), NOT_ALLOWED],
  ["behind PEM headers",           block(masters, undefined, "X-Note: one\nMore: two\n\n"),             NOT_ALLOWED],
  ["behind a broken first block",  BROKEN + block(masters),                                             NOT_ALLOWED],
  ["behind text",                  `a note\n${block(masters)}`,                                         NOT_ALLOWED],
  ["in lines with blanks",         block(masters).replaceAll("\n", " \t\r\n"),                          NOT_ALLOWED],
];
test.each(cases)("%s", async (title, pem, refusal) => {
  const body = {
    metadata: { name: title.toLowerCase().replace(/[^a-z0-9]+/g, "-") },
    spec: { request: Buffer.from(pem).toString("base64"), signerName: CLIENT, usages: ["client auth"] },
  };
  const { code, text } = await running.admin.call("POST", SIGNING, { body });
  expect([code, refusal === undefined || text.includes(refusal)], text).toEqual([
    refusal === undefined ? 201 : 403,
    true,
  ]);
  const other = {
    ...body,
    spec: { ...body.spec, signerName: "example.com/own" },
    metadata: { name: `${body.metadata.name}-own` },
  };
  expect((await running.admin.call("POST", SIGNING, { body: other })).code).toBe(201);
});

test("a block of another kind in front is no signing request", async () => {
  const pem = block(dev, "CERTIFICATE") + block(masters);
  const body = {
    metadata: { name: "other" },
    spec: { request: btoa(pem), signerName: CLIENT, usages: ["client auth"] },
  };
  expect((await running.admin.call("POST", SIGNING, { body })).code).toBe(422);
});
