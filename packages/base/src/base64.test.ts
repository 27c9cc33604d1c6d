import fc from "fast-check";
import { expect, test } from "vitest";
import { type Base64Form, decodeBase64, encodeBase64 } from "./base64.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

// The offsets are those Go names.
// biome-ignore format: one case per line
test.each<[text: string, form: Base64Form, want: Uint8Array | number]>([
  ["",             {},                             bytes("")],
  ["aGVsbG8=",     {},                             bytes("hello")],
  ["aGVs\nbG8=\n", {},                             bytes("hello")],
  ["aA=\n=",       {},                             bytes("h")],
  ["aGVsbG8",      {},                             4],
  ["aGVsbG8",      { unpadded: true },             bytes("hello")],
  ["aGVsbG8=",     { unpadded: true },             7],
  ["a",            { unpadded: true },             0],
  ["aA=",          {},                             3],
  ["aA=x",         {},                             2],
  ["aA==x",        {},                             4],
  ["aGVs=",        {},                             4],
  ["a-_b",         {},                             1],
  ["a-_b",         { url: true },                  bytes("k\xef\xdb")],
  ["a+/b",         { url: true },                  1],
  ["aé",           {},                             1],
])("%j %o", (text, form, want) => expect(decodeBase64(text, form)).toEqual(want));

test("an encoded text decodes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (value) => {
      const text = encodeBase64(value);
      expect(text).toBe(Buffer.from(value).toString("base64"));
      expect(decodeBase64(text)).toEqual(value);
      expect(decodeBase64(Buffer.from(value).toString("base64url"), { url: true, unpadded: true })).toEqual(value);
    }),
    { seed: 1 },
  );
});

test("a long text is read in pieces, with a pause before each but the first", () => {
  const text = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, i) => i * 7)).toString("base64");
  let pauses = 0;
  const pause = (): void => void pauses++;
  expect(Buffer.from(decodeBase64(text, {}, pause) as Uint8Array).toString("base64")).toBe(text);
  expect(pauses).toBe(10);
  expect(decodeBase64("\n".repeat(100_000), {}, pause)).toEqual(new Uint8Array());
  expect(pauses).toBe(18);
});

test("many bytes are written in pieces, with a pause before each", () => {
  const value = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7);
  let pauses = 0;
  expect(encodeBase64(value, () => pauses++)).toBe(Buffer.from(value).toString("base64"));
  expect(pauses).toBe(9);
});
