// The types that TypeScript derives for the public names (checked by `npm run typecheck`), and that values have these types.

import {
  BOOL,
  BYTES,
  CelError,
  createEnv,
  type DataOf,
  DOUBLE,
  Double,
  DURATION,
  Duration,
  DYN,
  type Env,
  type EvaluationResult,
  fn,
  INT,
  type Int,
  type ListValue,
  listOf,
  type MapValue,
  mapOf,
  method,
  NULL,
  type Optional,
  type optionalOf,
  type Program,
  type ResultOf,
  STRING,
  TIMESTAMP,
  Timestamp,
  type TYPE,
  type Type,
  UINT,
  type Uint,
  type VariablesOf,
  wrapper,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { describe, expect, expectTypeOf, test } from "vitest";

const env = createEnv({
  variables: { count: INT, name: STRING, price: DOUBLE, size: UINT, at: TIMESTAMP, tags: listOf(STRING), object: DYN },
});
const variables = { count: 1, name: "a", price: 1, size: 2, at: new Date(0), tags: ["x"], object: { spec: { n: 1 } } };

describe("variables are typed by their declarations", () => {
  test("each type's data", () => {
    expectTypeOf<DataOf<typeof INT>>().toEqualTypeOf<number | bigint>();
    expectTypeOf<DataOf<typeof UINT>>().toEqualTypeOf<number | bigint | Uint>();
    expectTypeOf<DataOf<typeof DOUBLE>>().toEqualTypeOf<number | Double>();
    expectTypeOf<DataOf<typeof TIMESTAMP>>().toEqualTypeOf<Timestamp | Date>();
    expectTypeOf<DataOf<typeof DYN>>().toEqualTypeOf<unknown>();
    const doubles = listOf(DOUBLE);
    expectTypeOf<DataOf<typeof doubles>>().toEqualTypeOf<readonly (number | Double)[] | ListValue>();
    const limits = mapOf(STRING, INT);
    expectTypeOf<DataOf<typeof limits>>().toEqualTypeOf<Readonly<Record<string, Int>> | MapValue>();
    const byNumber = mapOf(INT, STRING);
    expectTypeOf<DataOf<typeof byNumber>>().toEqualTypeOf<MapValue>();
    const maybe = wrapper(INT);
    expectTypeOf<DataOf<typeof maybe>>().toEqualTypeOf<Int | null>();
  });

  test("an environment's", () => {
    const program = env.program(`count > 0`);
    expectTypeOf(program.evaluate).parameter(0).toEqualTypeOf<
      VariablesOf<{
        readonly count: typeof INT;
        readonly name: typeof STRING;
        readonly price: typeof DOUBLE;
        readonly size: typeof UINT;
        readonly at: typeof TIMESTAMP;
        readonly tags: Type<readonly string[], readonly string[] | ListValue>;
        readonly object: typeof DYN;
      }>
    >();
    // @ts-expect-error a missing variable would be an evaluation error
    expect(program.evaluate({ name: "a" }).error?.message).toBe("no such attribute(s): count");
    // @ts-expect-error of the wrong type
    program.evaluate({ ...variables, count: "1" });
    // @ts-expect-error all of them are missing
    program.evaluate();
  });

  test("an environment without variables needs none", () => {
    const value = createEnv().program(`1 + 1`, { type: INT }).evaluate().value;
    expectTypeOf(value).toEqualTypeOf<Int | undefined>();
    expect(value).toBe(2);
  });

  test("an extended one has both, the later declaration counts", () => {
    const more = env.extend({ variables: { limit: INT, name: INT } });
    type Given = Parameters<ReturnType<typeof more.program>["evaluate"]>[0];
    expectTypeOf<Given["limit"]>().toEqualTypeOf<Int>();
    expectTypeOf<Given["name"]>().toEqualTypeOf<Int>();
    expectTypeOf<Given["tags"]>().toEqualTypeOf<readonly string[] | ListValue>();
    expect(more.program(`name < limit`).evaluate({ ...variables, name: 1, limit: 2 }).value).toBe(true);
  });

  test("`Env` and `Program` alone are any of them", () => {
    const any: Env = env;
    const program: Program = any.program(`count`);
    expect(program.evaluate({ count: 3 }).value).toBe(3);
    const unknownNames: Record<string, Type> = { x: INT };
    expect(createEnv({ variables: unknownNames }).program(`x`).evaluate({ x: 1 }).value).toBe(1);
  });
});

describe("results are typed where their type is stated", () => {
  test("without a type", () => {
    expectTypeOf(env.program(`count`).evaluate(variables)).toEqualTypeOf<EvaluationResult<unknown>>();
  });

  test("an outcome is a value or an error", () => {
    const outcome = env.program(`count > 0`, { type: BOOL }).evaluate(variables);
    expectTypeOf(outcome).toEqualTypeOf<EvaluationResult<boolean>>();
    if (outcome.error === undefined) expectTypeOf(outcome.value).toEqualTypeOf<boolean>();
    else expectTypeOf(outcome.error).toEqualTypeOf<CelError>();
    expect(outcome).toEqual({ value: true, error: undefined, cost: 2 });
  });

  test("each type's result", () => {
    expectTypeOf<ResultOf<typeof UINT>>().toEqualTypeOf<number | bigint>();
    expectTypeOf<ResultOf<typeof DOUBLE>>().toEqualTypeOf<number>();
    expectTypeOf<ResultOf<typeof TIMESTAMP>>().toEqualTypeOf<Timestamp>();
    expectTypeOf<ResultOf<typeof TYPE>>().toEqualTypeOf<Type>();
    expectTypeOf<ResultOf<ReturnType<typeof optionalOf>>>().toEqualTypeOf<Optional>();
    const doubles = listOf(DOUBLE);
    expectTypeOf<ResultOf<typeof doubles>>().toEqualTypeOf<readonly number[]>();
    const limits = mapOf(STRING, UINT);
    expectTypeOf<ResultOf<typeof limits>>().toEqualTypeOf<Readonly<Record<string, Int>>>();
    const byNumber = mapOf(INT, STRING);
    expectTypeOf<ResultOf<typeof byNumber>>().toEqualTypeOf<ReadonlyMap<Int, string>>();
    const maybe = wrapper(DOUBLE);
    expectTypeOf<ResultOf<typeof maybe>>().toEqualTypeOf<number | null>();
  });

  // biome-ignore format: one case per line
  const cases: readonly { text: string; type: Type; want: unknown }[] = [
    { text: `price + 1.0`,                   type: DOUBLE,                     want: 2 },
    { text: `price`,                         type: DOUBLE,                     want: 1 },
    { text: `size + 1u`,                     type: UINT,                       want: 3 },
    { text: `count`,                         type: wrapper(INT),               want: 1 },
    { text: `at`,                            type: TIMESTAMP,                  want: new Timestamp(0, 0) },
    { text: `duration("1s")`,                type: DURATION,                   want: new Duration(1, 0) },
    { text: `b"\\x01"`,                      type: BYTES,                      want: new Uint8Array([1]) },
    { text: `null`,                          type: NULL,                       want: null },
    { text: `[1.0, price]`,                  type: listOf(DOUBLE),             want: [1, 1] },
    { text: `tags + ["y"]`,                  type: listOf(STRING),             want: ["x", "y"] },
    { text: `{"a": 1u, "__proto__": 2u}`,    type: mapOf(STRING, UINT),        want: JSON.parse(`{"a": 1, "__proto__": 2}`) },
    { text: `{1: [2.0]}`,                    type: mapOf(INT, listOf(DOUBLE)), want: new Map([[1, [2]]]) },
    { text: `object.spec`,                   type: mapOf(STRING, DOUBLE),      want: { n: 1 } },
    { text: `object.spec.n`,                 type: INT,                        want: 1 },
    { text: `object.spec`,                   type: DYN,                        want: { n: 1 } },
    { text: `price`,                         type: DYN,                        want: new Double(1) },
  ];
  test.each(cases)("$text", ({ text, type, want }) => {
    for (const mode of ["compiled", "interpreted"] as const) {
      const outcome = env.program(text, { type, mode }).evaluate(variables);
      expect(outcome.error).toBeUndefined();
      expect(outcome.value).toStrictEqual(want);
    }
  });

  test("an expression of another type is an issue with a place", () => {
    const result = env.compile(`count + 1`, { type: BOOL });
    expect(result.ok ? [] : result.issues).toEqual([
      expect.objectContaining({ code: "type_mismatch", message: "expected type 'bool' but found 'int'" }),
    ]);
    expect(String(result)).toBe("ERROR: <input>:1:7: expected type 'bool' but found 'int'\n | count + 1\n | ......^");
  });

  // biome-ignore format: one case per line
  test.each([
    [`object.spec.n`,           BOOL,             "expected type 'bool' but found 'int'"],
    [`[1, dyn("a")]`,           listOf(INT),      "expected type 'int' but found 'string'"],
    [`{"a": dyn(1.5)}`,         mapOf(STRING, INT), "expected type 'int' but found 'double'"],
    [`object.spec`,             listOf(INT),      "expected type 'list(int)' but found 'map(dyn, dyn)'"],
  ] as const)("a dynamic value of another type is an error: %s", (text, type, message) => {
    const program = env.program<unknown>(text, { type });
    const { error } = program.evaluate(variables);
    expect(error).toMatchObject({ code: "conversion", message });
    expect(error && program.locate(error)?.line).toBe(1);
  });
});

describe("functions are typed by their rows", () => {
  test("arguments and result", () => {
    fn("f", "f1", [INT, STRING], BOOL, fixed(1), (a, b) => {
      expectTypeOf(a).toEqualTypeOf<Int>();
      expectTypeOf(b).toEqualTypeOf<string>();
      return true;
    });
    method("f", "f2", [DOUBLE, TIMESTAMP, listOf(UINT)], INT, fixed(1), (a, b, c) => {
      expectTypeOf(a).toEqualTypeOf<number>();
      expectTypeOf(b).toEqualTypeOf<Timestamp>();
      expectTypeOf(c).toEqualTypeOf<readonly (Int | Uint)[] | ListValue>();
      return new CelError("invalid_argument", "no");
    });
    // @ts-expect-error a string is no int
    fn("f", "f3", [INT], INT, fixed(1), () => "1");
  });
});

describe("errors know their place", () => {
  test("while evaluating", () => {
    const program = env.program(`count > 0 &&\n  object.spec.m == 1`);
    const { error } = program.evaluate(variables);
    expect(error && program.locate(error)).toEqual({ line: 2, column: 14, utf16: 26, codePoint: 26 });
    expect(error && program.display(error)).toBe(
      "ERROR: <input>:2:14: no such key: m\n |   object.spec.m == 1\n | .............^",
    );
  });

  test("an error of the whole evaluation has no place", () => {
    const program = env.program(`count + 1`);
    const { error } = program.evaluate(variables, { costLimit: 1 });
    expect(error && program.locate(error)).toBeUndefined();
    expect(error && program.display(error)).toBe("ERROR: <input>: operation cancelled: actual cost limit exceeded");
  });
});
