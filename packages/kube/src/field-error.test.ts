import { Double } from "@celadon/base";
import { expect, test } from "vitest";
import * as e from "./field-error.ts";
import { FieldPath, fieldPath } from "./field-path.ts";

const spec = fieldPath("spec");

// biome-ignore format: one case per line
const cases: [e.FieldError, string][] = [
  [e.requiredValue(spec),                                   "spec: Required value"],
  [e.requiredValue(spec.child("a"), "must be given"),       "spec.a: Required value: must be given"],
  [e.invalidValue(spec, -1, "must be positive"),            "spec: Invalid value: -1: must be positive"],
  [e.invalidValue(spec, "a\"<", "bad"),                     'spec: Invalid value: "a\\"<": bad'],
  [e.invalidValue(spec, "object", "bad"),                   'spec: Invalid value: "object": bad'],
  [e.invalidValue(spec, e.OMIT_VALUE, "bad"),               "spec: Invalid value: bad"],
  [e.invalidValue(spec, null, "bad"),                       "spec: Invalid value: null: bad"],
  [e.invalidValue(spec, true, ""),                          "spec: Invalid value: true"],
  [e.invalidValue(spec, 0.00001, ""),                       "spec: Invalid value: 1e-05"],
  [e.invalidValue(spec, 12345678, ""),                      "spec: Invalid value: 12345678"],
  [e.invalidValue(spec, new Double(12345678), ""),          "spec: Invalid value: 1.2345678e+07"],
  [e.invalidValue(spec, 9223372036854775807n, ""),          "spec: Invalid value: 9223372036854775807"],
  [e.invalidValue(spec, ["*", "a<b"], "x"),                 'spec: Invalid value: ["*","a\\u003cb"]: x'],
  [e.invalidValue(spec, new e.JsonShown("a<b"), "x"),       'spec: Invalid value: "a\\u003cb": x'],
  [e.invalidValue(spec, { b: 1, a: [null] }, "x"),          'spec: Invalid value: {"a":[null],"b":1}: x'],
  [e.invalidValue(spec, new e.ShownText("{Go}"), "x"),      "spec: Invalid value: {Go}: x"],
  [e.typeInvalid(spec, "x", "wrong type"),                  'spec: Invalid value: "x": wrong type'],
  [e.notFoundValue(spec, "x"),                              'spec: Not found: "x"'],
  [e.duplicateValue(spec.index(2), { key: "a" }),           'spec[2]: Duplicate value: {"key":"a"}'],
  [e.notSupported(spec, "C", ["A", "B"]),                   'spec: Unsupported value: "C": supported values: "A", "B"'],
  [e.notSupported(spec, "C", []),                           'spec: Unsupported value: "C"'],
  [e.forbiddenField(spec.key("k"), "not allowed"),          "spec[k]: Forbidden: not allowed"],
  [e.tooLong(spec, 63),                                     "spec: Too long: may not be more than 63 bytes"],
  [e.tooLong(spec, 1),                                      "spec: Too long: may not be more than 1 byte"],
  [e.tooLong(spec, -1),                                     "spec: Too long: value is too long"],
  [e.tooMany(spec, 5, 3),                                   "spec: Too many: 5: must have at most 3 items"],
  [e.tooMany(spec, -1, 1),                                  "spec: Too many: must have at most 1 item"],
  [e.tooMany(spec, 5, -1),                                  "spec: Too many: 5: has too many items"],
  [e.internalFieldError(spec, "boom"),                      "spec: Internal error: boom"],
  [e.invalidValue(FieldPath.root, null, "x"),               "<nil>: Invalid value: null: x"],
];

test.each(cases)("%#: %s", (error, text) => {
  expect(e.fieldErrorText(error)).toBe(text);
  expect(e.fieldErrorBody(error)).toBe(text.slice(`${error.path}: `.length));
});

test("paths", () => {
  expect(String(FieldPath.root)).toBe("<nil>");
  expect(String(FieldPath.root.index(0))).toBe("[0]");
  expect(String(fieldPath("spec", "a").index(3).key("b.c").child("d"))).toBe("spec.a[3][b.c].d");
  expect(String(FieldPath.root.child("key"))).toBe("key");
});

test("several errors are one text, each once", () => {
  const a = e.requiredValue("a");
  const b = e.requiredValue("b");
  expect(e.fieldErrorsText([a])).toBe("a: Required value");
  expect(e.fieldErrorsText([a, a])).toBe("a: Required value");
  expect(e.fieldErrorsText([a, b, a])).toBe("[a: Required value, b: Required value]");
});
