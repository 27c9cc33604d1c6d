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
  type CanonicalExpr,
  type CanonicalParsed,
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
  test("values that are no types", () => {
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

describe("types, ranges and depth are checked", () => {
  const ident = { id: "1", identExpr: { name: "x" } };
  const constant = (value: unknown): unknown => ({ expr: { id: "1", constExpr: value } });
  // biome-ignore format: one case per line
  test.each<[json: unknown, message: string]>([
    [null,                                                             "whole: expected an object"],
    [[],                                                               "whole: expected an object"],
    [{ expr: 1 },                                                      "expr: expected an object"],
    [{ expr: { id: "x", identExpr: { name: "a" } } },                  "expr.id: expected an id"],
    [{ expr: { id: -1, identExpr: { name: "a" } } },                   "expr.id: expected an id"],
    [{ expr: ident, sourceInfo: { positions: { 56406934: 1 } } },      "sourceInfo.positions: expected ids as keys, not \"56406934\""],
    [{ expr: { id: "99999999999999999", identExpr: { name: "a" } } },  "expr.id: expected an id"],
    [{ expr: { identExpr: { name: 1 } } },                             "expr.identExpr.name: expected a string"],
    [{ expr: { identExpr: null } },                                    "expr.identExpr: expected an object"],
    [{ expr: { ...ident, constExpr: { boolValue: true } } },           "expr: expected one kind of it"],
    [{ expr: { ...ident, other: 1 } },                                 'expr: expected no member "other"'],
    [{ expr: { callExpr: { function: "f", args: {} } } },              "expr.callExpr.args: expected a list"],
    [{ expr: { callExpr: { function: "f", args: [ident, 7] } } },      "expr.callExpr.args[1]: expected an object"],
    [{ expr: { selectExpr: { operand: ident, field: [] } } },          "expr.selectExpr.field: expected a string"],
    [{ expr: { listExpr: { elements: [ident], optionalIndices: [-1] } } }, "expr.listExpr.optionalIndices[0]: expected an offset"],
    [{ expr: { id: "4", listExpr: { elements: [ident], optionalIndices: [1] } } }, "expression 4 has no such element"],
    [constant({}),                                                     "expr.constExpr: expected one kind of it"],
    [constant({ int64Value: "9223372036854775808" }),                  "expr.constExpr.int64Value: expected a 64-bit integer"],
    [constant({ int64Value: 1.5 }),                                    "expr.constExpr.int64Value: expected a 64-bit integer"],
    [constant({ int64Value: "1".repeat(1_000_000) }),                  "expr.constExpr.int64Value: expected a 64-bit integer"],
    [constant({ uint64Value: "-1" }),                                  "expr.constExpr.uint64Value: expected an unsigned 64-bit integer"],
    [constant({ uint64Value: "18446744073709551616" }),                "expr.constExpr.uint64Value: expected an unsigned 64-bit integer"],
    [constant({ doubleValue: "x" }),                                   "expr.constExpr.doubleValue: expected a number"],
    [constant({ stringValue: {} }),                                    "expr.constExpr.stringValue: expected a string"],
    [{ expr: ident, sourceInfo: { positions: { a: 1 } } },             'sourceInfo.positions: expected ids as keys, not "a"'],
    [{ expr: ident, sourceInfo: { positions: { 1: "1" } } },           "sourceInfo.positions.1: expected an offset"],
    [{ expr: ident, sourceInfo: { macroCalls: { 1: [] } } },           "sourceInfo.macroCalls.1: expected an object"],
    [{ expr: ident, typeMap: { 1: { listType: 1 } } },                 "typeMap.1.listType: expected an object"],
    [{ expr: ident, referenceMap: { 1: { overloadId: "f" } } },        "referenceMap.1.overloadId: expected a list"],
  ])("%#: %s", (json, message) => {
    expect(() => parsedFromCanonical(json as CanonicalParsed)).toThrow(message);
  });

  test("a tree nested too deeply is refused; others can be used", () => {
    const nested = (depth: number): CanonicalExpr => {
      let expr: CanonicalExpr = { id: 1, identExpr: { name: "x" } };
      for (let id = 2; id < depth; id++) expr = { id, callExpr: { function: "-_", args: [expr] } };
      return expr;
    };
    expect(() => parsedFromCanonical({ expr: nested(100_000) })).toThrow("nested deeper than 2000 levels");
    expect(parsedFromCanonical({ expr: nested(1500) }).expr.kind).toBe("call");
    let type = {};
    for (let i = 0; i < 100_000; i++) type = { listType: { elemType: type } };
    expect(() => typeFromCanonical(type)).toThrow("nested deeper than 2000 levels");
  });
});

test("values that are no expressions", () => {
  expect(() => parsedFromCanonical({})).toThrow("an expression is missing");
  expect(() => parsedFromCanonical({ expr: { id: "1" } })).toThrow("expression 1 has no kind");
  expect(() => parsedFromCanonical({ expr: { id: "1", selectExpr: { field: "a" } } })).toThrow(
    "an expression is missing",
  );
});
