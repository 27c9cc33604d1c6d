// Words and places of the validators are compared with recordings in errors.test.ts; these tests cover the expressions that they inspect.

import { describe, expect, test } from "vitest";
import { checkText } from "./environment.testing.ts";
import {
  comprehensionNesting,
  durationLiterals,
  homogeneousLiterals,
  regexLiterals,
  timestampLiterals,
  type Validator,
  validate,
} from "./validators.ts";

const variables = { object: "dyn" };
const functions = ["format string_format string.(list(dyn)) -> string"];

function found(text: string, ...validators: Validator[]): string[] {
  const checked = checkText(text, { variables, functions });
  expect(checked.issues).toEqual([]);
  return validate(checked, validators).map(({ message, span }) => `${span?.start}: ${message}`);
}

// biome-ignore format: one case per line
const homogeneous = [
  { expr: "[1, 2]",                                  want: [] },
  { expr: "[1, 'a', 2.5]",                           want: ["4: expected type 'int' but found 'string'"] },
  { expr: "[1, object]",                             want: ["4: expected type 'int' but found 'dyn'"] },
  { expr: "[[1], ['a']]",                            want: ["6: expected type 'list(int)' but found 'list(string)'"] },
  { expr: "[[1, 'a'], [2, 'b']]",                    want: ["5: expected type 'int' but found 'string'", "15: expected type 'int' but found 'string'"] },
  { expr: "{'a': 1, 'b': 'c', 2: 3}",                want: ["14: expected type 'int' but found 'string'", "19: expected type 'string' but found 'int'"] },
  { expr: "[?optional.of(1), 2]",                    want: [] },
  { expr: "[?optional.of(1), 'a']",                  want: ["18: expected type 'int' but found 'string'"] },
  { expr: "'%s %d'.format(['a', 1])",                want: [] },
  { expr: "'%s'.format([[1, 'a'].map(x, [x, 1u])])", want: [] },
  { expr: "[].map(x, [x, x])",                       want: [] },
];
describe("homogeneous literals", () => {
  test.each(homogeneous)("$expr", ({ expr, want }) => {
    expect(found(expr, homogeneousLiterals())).toEqual(want);
  });
  test("an optional entry counts with its content", () => {
    const [only, ...others] = found("{'a': 1, ?'b': optional.of('c')}", homogeneousLiterals());
    expect(others).toEqual([]);
    expect(only).toMatch(/expected type 'int' but found 'string'$/);
  });
  test("the exempt functions can be chosen", () => {
    expect(found("'%s %d'.format(['a', 1])", homogeneousLiterals([]))).toHaveLength(1);
    expect(found("size([1, 'a'])", homogeneousLiterals(["size"]))).toEqual([]);
  });
});

describe("literal arguments", () => {
  const asked: unknown[] = [];
  const refuse = (literal: unknown): boolean => {
    asked.push(literal);
    return false;
  };
  // biome-ignore format: one case per line
  const cases = [
    { expr: "duration('x')",                  validator: durationLiterals(refuse),  literal: "x",  want: ["9: invalid duration argument"] },
    { expr: "[1].all(x, duration('y') > duration('1s'))", validator: durationLiterals((text) => text === "1s"), literal: undefined, want: ["20: invalid duration argument"] },
    { expr: "timestamp('x')",                 validator: timestampLiterals(refuse), literal: "x",  want: ["10: invalid timestamp argument"] },
    { expr: "timestamp(object)",              validator: timestampLiterals(refuse), literal: undefined, want: [] },
    { expr: "'a'.matches('(')",               validator: regexLiterals(refuse),     literal: "(",  want: ["12: invalid matches argument"] },
    { expr: "matches('(', 'b')",              validator: regexLiterals(refuse),     literal: "(",  want: ["8: invalid matches argument"] },
    { expr: "'a'.matches('b' + object)",      validator: regexLiterals(refuse),     literal: undefined, want: [] },
  ];
  test.each(cases)("$expr", ({ expr, validator, literal, want }) => {
    asked.length = 0;
    expect(found(expr, validator)).toEqual(want);
    expect(asked).toEqual(literal === undefined ? [] : [literal]);
  });
});

describe("comprehension nesting", () => {
  const nested = "[1].all(x, [2].all(y, [3].all(z, x + y + z > 0)))";
  test("counts loops inside each other", () => {
    expect(found(nested, comprehensionNesting(3))).toEqual([]);
    expect(found(nested, comprehensionNesting(2))).toHaveLength(1);
    expect(found(nested, comprehensionNesting(0))).toHaveLength(3);
    expect(found("[1].all(x, x > 0) && [1].all(x, x > 0)", comprehensionNesting(1))).toEqual([]);
  });
  test("does not count folds over nothing", () => {
    expect(found("optional.of(1).optMap(x, [x].map(y, y))", comprehensionNesting(1))).toEqual([]);
  });
});

test("validators run once each, and only when the check found nothing", () => {
  const twice = [comprehensionNesting(0), comprehensionNesting(0)];
  expect(validate(checkText("[1].all(x, true)"), twice)).toHaveLength(1);
  expect(validate(checkText("[1].all(x, nope)"), twice)).toEqual([]);
});
