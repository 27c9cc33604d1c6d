import { Double, encodeUtf8, toExactJson } from "@celadon/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson, readStoredJson } from "./read-json.ts";

test("numbers stay the same, there and back", () => {
  const text = '{"a":9007199254740993,"b":1.0,"c":[1,-2,1.5],"d":"1.0","e":1e2}';
  const value = readJson(text);
  expect(value).toEqual({ a: 9007199254740993n, b: new Double(1), c: [1, -2, 1.5], d: "1.0", e: new Double(100) });
  expect(toExactJson(value)).toBe('{"a":9007199254740993,"b":1.0,"c":[1,-2,1.5],"d":"1.0","e":100.0}');
  expect(() => readJson('{"a":1.0')).toThrow(SyntaxError);
  expect(readJson("1.0")).toEqual(new Double(1));
  const texts = '{"image":"web:1.25","list":["a,1.5","[2.0]",{"b" : -3.0 }]}';
  expect(readJson(texts)).toEqual({ image: "web:1.25", list: ["a,1.5", "[2.0]", { b: new Double(-3) }] });
});

test("an integer is found wherever it stands among stored bytes", () => {
  const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const text = fc.tuple(fc.string(), integers, fc.string());
  fc.assert(
    fc.property(text, ([before, integer, after]) => {
      const value = { [`${before}.`]: before, n: integer, after: [after] };
      const json = toExactJson(value);
      expect(toExactJson(readStoredJson(encodeUtf8(json)))).toBe(json);
    }),
  );
});
