import { describe, expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { formatType } from "../value/type.ts";
import { optionalLibrary } from "./optional.ts";
import { stringsLibrary } from "./strings.ts";

const libraries = [optionalLibrary(), stringsLibrary()];
const reference = createEnv({ libraries });
const specification = createEnv({ libraries, semantics: "specification" });

function answers(env: typeof reference, expr: string): unknown[] {
  return (["interpreted", "compiled"] as const).map((mode) => {
    const { value, error } = env.program(expr, { mode }).evaluate();
    return error === undefined ? value : `error: ${error.message}`;
  });
}

// biome-ignore format: one expression per line
const cases = [
  { expr: `{1.0: 'a'}.size()`,                               reference: 1,       specification: "error: unsupported key type: double" },
  { expr: `{1: 'a', 1: 'b'}[1]`,                             reference: "b",     specification: "error: repeated key: 1" },
  { expr: `{1: 'a', 1u: 'b'}[1]`,                            reference: "a",     specification: "error: repeated key: 1" },
  { expr: `{1: 'a', 2u: 'b'}.size()`,                        reference: 2,       specification: 2 },
  { expr: `{'a': dyn(1)}.?a.b.hasValue()`,                   reference: false,   specification: "error: no such key: b" },
  { expr: `{'a': dyn(1.0)}.?a.b.hasValue()`,                 reference: false,   specification: "error: no such key: b" },
  { expr: `{'a': dyn({})}.?a.b.hasValue()`,                  reference: false,   specification: false },
  { expr: `has({'a': dyn(1)}.a.b)`,                          reference: false,   specification: "error: no such key: b" },
  { expr: `duration('123.321s').getMilliseconds()`,          reference: 123321,  specification: 321 },
  { expr: `duration('-1.5s').getMilliseconds()`,             reference: -1500,   specification: -500 },
  { expr: `'tacocat'.indexOf('a', 30)`,                      reference: -1,      specification: "error: index out of range: 30" },
  { expr: `'tacocat'.indexOf('a', 7)`,                       reference: -1,      specification: -1 },
  { expr: `'tacocat'.lastIndexOf('a', 30)`,                  reference: -1,      specification: "error: index out of range: 30" },
];
describe.each(cases)("$expr", ({ expr, ...wants }) => {
  test("as the reference", () => expect(answers(reference, expr)).toEqual([wants.reference, wants.reference]));
  test("as specified", () => expect(answers(specification, expr)).toEqual([wants.specification, wants.specification]));
});

// biome-ignore format: one expression per line
const types = [
  { expr: `[duration('1s'), null]`, reference: "list(null)",      specification: "list(duration)" },
  { expr: `[null, duration('1s')]`, reference: "list(duration)",  specification: "list(duration)" },
  { expr: `[optional.of(1), null]`, reference: "list(null)",      specification: "list(optional_type(int))" },
];
test.each(types)("type of $expr", ({ expr, ...wants }) => {
  const typeIn = (env: typeof reference): string => formatType(env.program(expr).type);
  expect({ reference: typeIn(reference), specification: typeIn(specification) }).toEqual(wants);
});
