import fc from "fast-check";
import { expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { STRING } from "../value/type.ts";
import { encodersLibrary as library } from "./encoders.ts";
import { call } from "./library.testing.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const illegal = (offset: number) => ({ error: `illegal base64 data at input byte ${offset}` });

// biome-ignore format: one case per line
test.each([
  ["",               bytes("")],
  ["aGVsbG8=",       bytes("hello")],
  ["aGVsbG8",        bytes("hello")],
  ["aGVs\nbG8=\r\n", bytes("hello")],
  ["aA=\n=",         bytes("h")],
  ["aB==",           bytes("h")],
  ["//4",            bytes("\xff\xfe")],
  ["a",              illegal(0)],
  ["aGVsb",          illegal(4)],
  ["aGVsbG8==",      illegal(7)],
  ["aA=",            illegal(2)],
  ["====",           illegal(0)],
  ["aGVs=",          illegal(4)],
  ["aA==aA==",       illegal(2)],
  ["aG Vs",          illegal(2)],
  ["a-_b",           illegal(1)],
  ["aé",             illegal(1)],
])("base64.decode(%j)", (text, want) => expect(call(library, "base64_decode_string", text)).toEqual(want));

// biome-ignore format: one case per line
test.each([
  [bytes(""),         ""],
  [bytes("h"),        "aA=="],
  [bytes("he"),       "aGU="],
  [bytes("hel"),      "aGVs"],
  [bytes("\xff\xfe"), "//4="],
])("base64.encode(%o)", (value, want) => expect(call(library, "base64_encode_bytes", value)).toBe(want));

test("an encoded text decodes, with and without padding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (value) => {
      const text = call(library, "base64_encode_bytes", value) as string;
      expect(text).toBe(Buffer.from(value).toString("base64"));
      expect(call(library, "base64_decode_string", text)).toEqual(value);
      expect(call(library, "base64_decode_string", text.replaceAll("=", ""))).toEqual(value);
    }),
  );
});

test("long values", () => {
  const value = new Uint8Array(1_000_000).map((_, i) => i);
  const text = call(library, "base64_encode_bytes", value) as string;
  expect(text === Buffer.from(value).toString("base64")).toBe(true);
  expect((call(library, "base64_decode_string", text) as Uint8Array).length).toBe(value.length);
});

test.each([
  ["padded", "A".repeat(400_000), 5],
  ["without padding, so that it is read twice", `${"A".repeat(400_000)}AA`, 10],
])("a long text looks at the clock while it is decoded: %s", (_, x, least) => {
  let looks = 0;
  const signal = {
    get aborted(): boolean {
      looks++;
      return false;
    },
  };
  const env = createEnv({ variables: { x: STRING }, libraries: [library] });
  expect(env.program("size(base64.decode(x)) >= 300000").evaluate({ x }, { signal }).value).toBe(true);
  expect(looks).toBeGreaterThanOrEqual(least);
});
