import fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytes, compareStrings, decodeUtf8, decodeUtf8Bytewise, encodeUtf8, utf8Length } from "./utf8.ts";

const texts = fc.string({
  unit: fc.constantFrom("a", "\u00e9", "\u20ac", "\ud83d\ude00", "\uffff", "\ud800", "\udc00"),
});

test("lengths and order are those of the bytes", () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [x, y] = [encodeUtf8(a), encodeUtf8(b)];
      expect(utf8Length(a)).toBe(x.length);
      // A lone surrogate has no bytes of its own, so its order differs from that of its encoding.
      if (decodeUtf8(x) === a && decodeUtf8(y) === b) expect(compareStrings(a, b)).toBe(compareBytes(x, y));
    }),
    { seed: 1 },
  );
});

// biome-ignore format: one case per line
test.each<[number[], string]>([
  [[0x61, 0xc3, 0xa9],               "aé"],
  [[0xff, 0x61],                     "\ufffda"],
  [[0xe2, 0x82],                     "\ufffd\ufffd"],
  [[0xc3, 0x28],                     "\ufffd("],
  [[0xf0, 0x9f, 0x98, 0x80, 0x80],   "😀\ufffd"],
])("bytes %o, one by one where they are not UTF-8", (bytes, text) => {
  expect(decodeUtf8Bytewise(Uint8Array.from(bytes))).toBe(text);
});

test("strictly", () => {
  expect(decodeUtf8(Uint8Array.from([0xff]))).toBeUndefined();
  expect(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toBe("\ufeffa");
});
