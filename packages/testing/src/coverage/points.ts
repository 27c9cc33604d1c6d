// The points of one expression, each either covered or not.

import type { Ast } from "@celadon/cel/ast";
import { type Clauses, clausesOf } from "./clauses.ts";
import { Fallible, type Guards } from "./fallible.ts";
import type { Shapes } from "./shapes.ts";

/** The kind of a point. */
export type PointKind =
  /** The whole expression. */
  | "expression"
  | "operand"
  | "branch"
  /** The body of a macro. */
  | "body"
  /** A clause that can fail. */
  | "error"
  /** Whether a binding applies. */
  | "binding";

/** The values that a point must take once. */
export type Want = "true" | "false" | "evaluated" | "taken" | "error" | "matched" | "refused";

/** The observed values of a clause, as bits. */
export const SEEN = { true: 1, false: 2, error: 4, other: 8 } as const;
const ANY_VALUE = SEEN.true | SEEN.false | SEEN.other;

/** A part of an expression's text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The whole of an expression, as opposed to a part that happens to be as long. */
export const WHOLE = "";

export const keyOf = ({ start, end }: Range): string => `${start}-${end}`;

export interface Point {
  readonly kind: PointKind;
  readonly want: Want;
  readonly range: Range;
  /** The clause that tells: WHOLE, or its range. */
  readonly at: string;
  /** Covered when any of these bits was seen there. */
  readonly mask: number;
}

/** The kind of value that counts for an expression: validations, conditions and rules answer yes or no. */
export type Answer = "boolean" | "value";

export interface PointOptions {
  readonly answer: Answer;
  readonly shapes: Shapes;
  /** The guards of match conditions. */
  readonly guards?: Guards;
}

export function pointsOf(ast: Ast, { answer, shapes, guards }: PointOptions): readonly Point[] {
  const fallible = new Fallible(ast, guards);
  const { clauses, conditionals } = clausesOf(ast, (expr, known) => fallible.canFail(expr, known), shapes);
  const points: Point[] = [];
  for (const { role, node, fallible } of clauses) {
    const whole = role === "expression";
    const range = whole ? { start: 0, end: ast.source.text.length } : rangeOf(ast, node.id);
    const at = whole ? WHOLE : keyOf(range);
    const kind = whole ? "expression" : role === "operand" ? "operand" : "body";
    const add = (want: Want, mask: number): void => void points.push({ kind, want, range, at, mask });
    const isBoolean = whole ? answer === "boolean" && node.kind !== "literal" : role !== "transform";
    if (isBoolean) {
      add("true", SEEN.true);
      add("false", SEEN.false);
    } else add("evaluated", ANY_VALUE);
    if (fallible.length > 0) points.push({ kind: "error", want: "error", range, at, mask: SEEN.error });
  }
  for (const { test, whenTrue, whenFalse } of conditionals) {
    const at = keyOf(rangeOf(ast, test.id));
    const branch = (id: number, mask: number): Point => ({
      kind: "branch",
      want: "taken",
      range: rangeOf(ast, id),
      at,
      mask,
    });
    points.push(branch(whenTrue.id, SEEN.true), branch(whenFalse.id, SEEN.false));
  }
  return points;
}

/** Nodes to observe, with the key of each. The whole expression has its own. */
export function listenedNodes(ast: Ast): ReadonlyMap<number, string> {
  const { clauses, conditionals }: Clauses = clausesOf(ast);
  const nodes = [...clauses.slice(1).map(({ node }) => node), ...conditionals.map(({ test }) => test)];
  return new Map(nodes.map(({ id }) => [id, keyOf(rangeOf(ast, id))]));
}

function rangeOf({ spans }: Ast, id: number): Range {
  const { start, end } = spans.get(id) ?? { start: 0, end: 0 };
  return { start, end };
}
