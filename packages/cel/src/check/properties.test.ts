// Any tree at all, numbered well or badly, gets an answer, and always the same.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ast, Expr } from "../ast/expr.ts";
import { DYN, listOf, mapOf, STRING } from "../value/type.ts";
import { Double, Uint } from "../value/value.ts";
import { check } from "./check.ts";
import { parseText, testDeclarations } from "./environment.testing.ts";
import { printChecked } from "./print.ts";

const declarations = testDeclarations({
  container: "a.b",
  aliases: { s: "some.where" },
  variables: {
    x: "int",
    y: "dyn",
    "a.x": "string",
    "a.b.l": "list(T)",
    m: mapOf(STRING, listOf(DYN)),
    "some.where.z": "optional_type(map(string, int))",
  },
  functions: [
    "f f_list (list(A), A) -> map(A, B)",
    "f f_map (map(A, B)) -> list(B)",
    "a.g a_g (A) -> optional_type(A)",
    "h h_type (type(A)) -> A",
  ],
});
// biome-ignore format: grouped by kind
const NAMES = [
  "x", "y", "l", "m", "s.z", ".x", "int", "list", "type", "nope", "@result", "google.protobuf.Int64Value", "google.protobuf.Struct", "__proto__",
];
// biome-ignore format: grouped by kind
const FUNCTIONS = [
  "_+_", "_==_", "_[_]", "_[?_]", "_?._", "_?_:_", "_&&_", "@in", "size", "dyn", "type", "f", "g", "h", "of", "constructor", "@not_strictly_false",
];

/** Trees in which `id` numbers each node. */
function trees(id: () => number): fc.Arbitrary<Expr> {
  const name = fc.constantFrom(...NAMES);
  return fc.letrec<{ expr: Expr }>((tie) => {
    const expr = tie("expr");
    const several = fc.array(expr, { maxLength: 3 });
    return {
      expr: fc.oneof(
        { depthSize: "medium" },
        fc
          .constantFrom(
            null,
            true,
            1,
            1.5,
            "f",
            2n ** 62n,
            new Uint(1),
            new Double(1),
            new Uint8Array(1),
            undefined,
            {},
          )
          .map((value): Expr => ({ kind: "literal", id: id(), value })),
        name.map((ident): Expr => ({ kind: "ident", id: id(), name: ident })),
        fc
          .tuple(expr, name, fc.boolean())
          .map(([operand, field, isTest]): Expr => ({ kind: "select", id: id(), operand, field, test: isTest })),
        fc
          .tuple(fc.constantFrom(...FUNCTIONS), fc.option(expr, { nil: undefined }), several)
          .map(([fn, target, args]): Expr => ({ kind: "call", id: id(), function: fn, target, args })),
        fc
          .tuple(several, fc.array(fc.nat(3)))
          .map(([elements, optional]): Expr => ({ kind: "list", id: id(), elements, optional })),
        fc.array(fc.tuple(expr, expr, fc.boolean()), { maxLength: 3 }).map(
          (entries): Expr => ({
            kind: "map",
            id: id(),
            entries: entries.map(([key, value, optional]) => ({ id: id(), key, value, optional })),
          }),
        ),
        fc.tuple(name, fc.array(fc.tuple(name, expr, fc.boolean()), { maxLength: 2 })).map(
          ([type, fields]): Expr => ({
            kind: "struct",
            id: id(),
            type,
            fields: fields.map(([field, value, optional]) => ({ id: id(), name: field, value, optional })),
          }),
        ),
        fc.tuple(name, fc.constantFrom("", "x", "k"), name, expr, expr, expr, expr, expr).map(
          ([iterVar, iterVar2, accuVar, range, init, condition, step, result]): Expr => ({
            kind: "comprehension",
            id: id(),
            iterVar,
            iterVar2,
            accuVar,
            range,
            init,
            condition,
            step,
            result,
          }),
        ),
      ),
    };
  }).expr;
}

const astOf = (expr: Expr): Ast => ({
  expr,
  source: { name: "<input>", text: "" },
  spans: new Map(),
  macroCalls: new Map(),
});

let next = 0;
const wellNumbered = trees(() => ++next);
const badlyNumbered = trees(() => ++next % 4);

describe("any tree", () => {
  test.each([
    ["well", wellNumbered],
    ["badly", badlyNumbered],
  ] as const)("numbered %s gets an answer, always the same", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (expr) => {
        const first = check(astOf(expr), declarations);
        const second = check(astOf(expr), declarations);
        expect(second).toEqual(first);
        for (const type of first.types.values()) {
          expect(type.open).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("without issues has a type for every node and a meaning for every name and call", () => {
    fc.assert(
      fc.property(wellNumbered, (expr) => {
        const checked = check(astOf(expr), declarations);
        fc.pre(checked.issues.length === 0);
        expect(printChecked(checked)).not.toContain("!error!");
        expect(checked.types.has(expr.id)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("limits", () => {
  function nested(depth: number): Expr {
    let expr: Expr = { kind: "ident", id: 0, name: "y" };
    for (let i = 1; i <= depth; i++) {
      expr =
        i % 2 === 0
          ? { kind: "select", id: i, operand: expr, field: "f", test: false }
          : { kind: "call", id: i, function: "dyn", target: undefined, args: [expr] };
    }
    return expr;
  }

  test("a deep tree is checked, a deeper one refused", () => {
    expect(check(astOf(nested(1000)), declarations).issues).toEqual([]);
    expect(check(astOf(nested(100_000)), declarations).issues).toMatchObject([{ code: "nested_too_deeply" }]);
    expect(check(astOf(nested(20)), declarations, { maxDepth: 10 }).issues).toMatchObject([
      { code: "nested_too_deeply" },
    ]);
  });

  test("types that double with every line are refused", () => {
    let text = "x";
    for (let i = 40; i > 0; i--) {
      text = `optional.of({${i === 1 ? "1" : `v${i - 1}`}: ${i === 1 ? "1" : `v${i - 1}`}}).optMap(v${i}, ${text})`;
    }
    expect(check(parseText(text), declarations).issues).toContainEqual(
      expect.objectContaining({ code: "types_too_large" }),
    );
  });
});
