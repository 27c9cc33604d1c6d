import { expect, test } from "vitest";
import { Double } from "./double.ts";
import { toExactJson, toJson } from "./json-text.ts";

const value = {
  a: 9007199254740993n,
  b: new Double(1),
  c: [1, undefined, 1.5, null],
  d: undefined,
  "1": "é",
  at: new Date(0),
};

test("integers are written in full, whole doubles as Go does or with a point", () => {
  const rest = '"c":[1,null,1.5,null],"at":"1970-01-01T00:00:00.000Z"';
  expect(toJson(value)).toBe(`{"1":"é","a":9007199254740993,"b":1,${rest}}`);
  expect(toExactJson(value)).toBe(`{"1":"é","a":9007199254740993,"b":1.0,${rest}}`);
});

test("without such integers the text is that of JSON.stringify", () => {
  const { a: _, ...plain } = value;
  expect(toJson(plain)).toBe(JSON.stringify(plain));
  expect(toExactJson({ a: [1, "x", false, { b: {} }] })).toBe('{"a":[1,"x",false,{"b":{}}]}');
});

test("a value without JSON form is null", () => {
  expect(toExactJson(undefined)).toBe("null");
});
