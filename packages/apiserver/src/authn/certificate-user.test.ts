// Subjects as Go reads them, in certificates made by hand.

import { expect, test } from "vitest";
import { certificateUser } from "./certificate-user.ts";

function der(tag: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const OIDS = { CN: "550403", O: "55040a", OU: "55040b", UID: "2b0601040183c25302" } as const;
type Attribute = readonly [type: keyof typeof OIDS, tag: number, value: string | Uint8Array];

const UTF8 = 0x0c;
const PRINTABLE = 0x13;
const BMP = 0x1e;
const UNIVERSAL = 0x1c;

const wide = (text: string, size: number): Buffer =>
  Buffer.concat(
    [...text].map((char) =>
      Buffer.from(
        char
          .charCodeAt(0)
          .toString(16)
          .padStart(size * 2, "0"),
        "hex",
      ),
    ),
  );

function certificate(...attributes: readonly Attribute[]): Buffer {
  const name = der(
    0x30,
    ...attributes.map(([type, tag, value]) =>
      der(0x31, der(0x30, der(6, Buffer.from(OIDS[type], "hex")), der(tag, value))),
    ),
  );
  const none = der(0x30);
  const signed = der(0x30, der(0xa0, der(2, Buffer.from([2]))), der(2, Buffer.from([1])), none, none, none, name, none);
  return der(0x30, signed, none, der(3, Buffer.from([0])));
}

const user = (...attributes: readonly Attribute[]): unknown => {
  const found = certificateUser(certificate(...attributes));
  return found && [found.username, found.groups.join(), ...(found.uid === undefined ? [] : [found.uid])];
};

// biome-ignore format: one case per line
const cases: readonly (readonly [title: string, got: unknown, want: unknown])[] = [
  ["the last common name counts",  user(["CN", UTF8, "admin"], ["O", UTF8, "a"], ["CN", PRINTABLE, "eve"], ["O", UTF8, "b"]), ["eve", "a,b"]],
  ["an empty one names nobody",    user(["CN", UTF8, "admin"], ["CN", UTF8, ""]),                                            undefined],
  ["none names nobody",            user(["O", UTF8, "system:masters"]),                                                      undefined],
  ["a BMPString is text",          user(["CN", UTF8, "eve"], ["O", BMP, wide("system:masters", 2)]),                         ["eve", "system:masters"]],
  ["a UniversalString is none",    user(["CN", UTF8, "eve"], ["O", UNIVERSAL, wide("system:masters", 4)]),                   undefined],
  ["bytes that are no UTF-8",      user(["CN", UTF8, Buffer.from([0xff])]),                                                  undefined],
  ["a uid",                        user(["CN", UTF8, "eve"], ["UID", UTF8, "7"]),                                            ["eve", "", "7"]],
  ["two uids",                     user(["CN", UTF8, "eve"], ["UID", UTF8, "7"], ["UID", UTF8, "8"]),                        undefined],
  ["an empty uid",                 user(["CN", UTF8, "eve"], ["UID", UTF8, ""]),                                             undefined],
];
test.each(cases)("%s", (_, got, want) => expect(got).toEqual(want));

test("a certificate has a fingerprint, and other bytes have no user", () => {
  const { extra } = certificateUser(certificate(["CN", UTF8, "eve"]))!;
  expect(extra?.["authentication.kubernetes.io/credential-id"]?.[0]).toMatch(/^X509SHA256=[0-9a-f]{64}$/);
  for (const bytes of [[], [0x30], [0x30, 0], [0x30, 0x80, 0, 0]]) {
    expect(certificateUser(Buffer.from(bytes))).toBeUndefined();
  }
});
