import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unparse } from "../ast/unparse.ts";
import type { Checked } from "../check/checked.ts";
import { treeOf } from "../parse/parsing.testing.ts";
import { expression } from "../parse/random-expression.testing.ts";
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  param,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  typeOfType,
  UINT,
  wrapper,
} from "../value/type.ts";
import {
  checkedFromCanonical,
  checkedToCanonical,
  parsedFromCanonical,
  parsedToCanonical,
  typeFromCanonical,
  typeToCanonical,
} from "./canonical.ts";

test("a parsed expression, as the reference writes it", () => {
  expect(parsedToCanonical(treeOf("'😀' + a.b\n == 'x'"))).toEqual({
    expr: {
      id: "5",
      callExpr: {
        function: "_==_",
        args: [
          {
            id: "2",
            callExpr: {
              function: "_+_",
              args: [
                { id: "1", constExpr: { stringValue: "😀" } },
                { id: "4", selectExpr: { operand: { id: "3", identExpr: { name: "a" } }, field: "b" } },
              ],
            },
          },
          { id: "6", constExpr: { stringValue: "x" } },
        ],
      },
    },
    sourceInfo: {
      location: "<input>",
      lineOffsets: [10, 18],
      positions: { 1: 0, 2: 4, 3: 6, 4: 7, 5: 11, 6: 14 },
      macroCalls: {},
    },
  });
});

test("macro calls refer to one another", () => {
  const { sourceInfo } = parsedToCanonical(treeOf("a.filter(x, has(x.y))"));
  const calls = Object.entries(sourceInfo!.macroCalls!);
  expect(calls).toHaveLength(2);
  const [hasId] = calls[0]!;
  expect(calls[1]![1].callExpr).toEqual({
    target: { id: "1", identExpr: { name: "a" } },
    function: "filter",
    args: [{ id: "3", identExpr: { name: "x" } }, { id: hasId }],
  });
});

// biome-ignore format: one case per line
const constants = [
  { text: "null",                  want: { nullValue: null } },
  { text: "true",                  want: { boolValue: true } },
  { text: "-9223372036854775808",  want: { int64Value: "-9223372036854775808" } },
  { text: "18446744073709551615u", want: { uint64Value: "18446744073709551615" } },
  { text: "1.0",                   want: { doubleValue: 1 } },
  { text: "-0.0",                  want: { doubleValue: "-0" } },
  { text: "b'\\xff\\x00a'",        want: { bytesValue: "/wBh" } },
];
test.each(constants)("$text", ({ text, want }) => {
  const ast = treeOf(text);
  const canonical = parsedToCanonical(ast);
  expect(canonical.expr?.constExpr).toEqual(want);
  expect(parsedFromCanonical(canonical, { text }).expr).toEqual(ast.expr);
});

test("import is the inverse of export", () => {
  fc.assert(
    fc.property(expression, (text) => {
      const ast = treeOf(text);
      // through JSON text: nothing but JSON may be in it
      const canonical = JSON.parse(JSON.stringify(parsedToCanonical(ast)));
      const back = parsedFromCanonical(canonical, { text });
      expect(back.expr).toEqual(ast.expr);
      expect(parsedToCanonical(back)).toEqual(canonical);
      expect(unparse(back)).toBe(unparse(ast));
    }),
    { numRuns: 200 },
  );
});

describe("types", () => {
  // biome-ignore format: one case per line
  const types = [
    { type: BOOL,                      want: { primitive: "BOOL" } },
    { type: INT,                       want: { primitive: "INT64" } },
    { type: UINT,                      want: { primitive: "UINT64" } },
    { type: DOUBLE,                    want: { primitive: "DOUBLE" } },
    { type: STRING,                    want: { primitive: "STRING" } },
    { type: BYTES,                     want: { primitive: "BYTES" } },
    { type: NULL,                      want: { null: null } },
    { type: DYN,                       want: { dyn: {} } },
    { type: ERROR,                     want: { error: {} } },
    { type: ANY,                       want: { wellKnown: "ANY" } },
    { type: TIMESTAMP,                 want: { wellKnown: "TIMESTAMP" } },
    { type: DURATION,                  want: { wellKnown: "DURATION" } },
    { type: wrapper(INT),              want: { wrapper: "INT64" } },
    { type: listOf(STRING),            want: { listType: { elemType: { primitive: "STRING" } } } },
    { type: mapOf(STRING, DYN),        want: { mapType: { keyType: { primitive: "STRING" }, valueType: { dyn: {} } } } },
    { type: struct("a.M"),             want: { messageType: "a.M" } },
    { type: param("T"),                want: { typeParam: "T" } },
    { type: TYPE,                      want: { type: {} } },
    { type: typeOfType(INT),           want: { type: { primitive: "INT64" } } },
    { type: optionalOf(INT),           want: { abstractType: { name: "optional_type", parameterTypes: [{ primitive: "INT64" }] } } },
  ];
  test.each(types)("$type", ({ type, want }) => {
    expect(typeToCanonical(type)).toEqual(want);
    expect(typeFromCanonical(want)).toEqual(type);
  });
  test("what is no type", () => {
    expect(() => typeFromCanonical({ primitive: "INT128" })).toThrow("unknown type 'INT128'");
    expect(() => typeFromCanonical({})).toThrow("unsupported type: {}");
  });
});

describe("checked expressions", () => {
  const checked: Checked = {
    ast: treeOf("a.b + int"),
    type: DYN,
    types: new Map([
      [2, INT],
      [3, DYN],
      [4, typeOfType(INT)],
    ]),
    references: new Map([
      [2, { kind: "variable", name: "a.b" }],
      [3, { kind: "function", name: "_+_", overloads: [], qualified: false }],
      [4, { kind: "constant", name: "int", value: INT }],
    ]),
    issues: [],
  };

  test("names are written as they were resolved", () => {
    const canonical = checkedToCanonical(checked);
    expect(canonical.expr?.callExpr?.args?.[0]).toEqual({ id: "2", identExpr: { name: "a.b" } });
    expect(canonical.typeMap?.["4"]).toEqual({ type: { primitive: "INT64" } });
    expect(canonical.referenceMap).toEqual({ 2: { name: "a.b" }, 3: { overloadId: [] }, 4: { name: "int" } });
  });

  test("come back with types and references", () => {
    const back = checkedFromCanonical(checkedToCanonical(checked), { overload: () => undefined, text: "a.b + int" });
    expect(back.type).toEqual(DYN);
    expect(back.types.get(2)).toEqual(INT);
    expect(back.references.get(2)).toEqual({ kind: "variable", name: "a.b" });
    expect(back.references.get(4)).toEqual({ kind: "constant", name: "int", value: INT });
  });

  test("unknown overloads are refused", () => {
    const json = { ...checkedToCanonical(checked), referenceMap: { 3: { overloadId: ["nope"] } } };
    expect(() => checkedFromCanonical(json, { overload: () => undefined })).toThrow("unknown overload 'nope'");
  });
});

test("what is no expression", () => {
  expect(() => parsedFromCanonical({})).toThrow("an expression is missing");
  expect(() => parsedFromCanonical({ expr: { id: "1" } })).toThrow("expression 1 has no kind");
  expect(() => parsedFromCanonical({ expr: { id: "1", selectExpr: { field: "a" } } })).toThrow(
    "an expression is missing",
  );
});
