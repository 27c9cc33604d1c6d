// The expression tree: plain, read-only, every node numbered. Types, references and positions live in side tables keyed by
// the number, so that no stage writes on another's result.

import type { Value } from "../value/value.ts";
import type { Source, Span } from "./source.ts";

/** A node of an expression's tree: plain, readonly data, numbered. `kind` says which it is. */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

/** A constant; `value` in boxed form (see value/value.ts), so 1.0 is a Double and 1u a Uint. */
export interface Literal {
  readonly kind: "literal";
  readonly id: number;
  readonly value: Value;
}
/** A name; a leading dot (`.a`) is kept and means the root container. */
export interface Ident {
  readonly kind: "ident";
  readonly id: number;
  readonly name: string;
}
/** `operand.field`, or `has(operand.field)` when `test` is set. */
export interface Select {
  readonly kind: "select";
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}
/** A function or operator; operators have cel-go's names (`_&&_`, `_[_]`, `_?._`). */
export interface Call {
  readonly kind: "call";
  readonly id: number;
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
/** A list that the expression makes: `[1, 2]`. */
export interface ListExpr {
  readonly kind: "list";
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of elements written `?e`. */
  readonly optional: readonly number[];
}
/** A map that the expression makes: `{'a': 1}`. */
export interface MapExpr {
  readonly kind: "map";
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
/** One `key: value` of a map that the expression makes. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
/** A message that the expression makes: `Point{x: 1}`. */
export interface StructExpr {
  readonly kind: "struct";
  readonly id: number;
  readonly type: string;
  readonly fields: readonly StructField[];
}
/** One `name: value` of a message that the expression makes. */
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** The loop that macros expand to: a fold over `range`. `iterVar2` is empty for one-variable folds. */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly id: number;
  readonly iterVar: string;
  readonly iterVar2: string;
  readonly range: Expr;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A parsed expression with the macro calls, spans and comments of its text. */
export interface Ast {
  readonly expr: Expr;
  readonly source: Source;
  /** The place of every node in the source. */
  readonly spans: ReadonlyMap<number, Span>;
  /** Macro calls as they were written, by the id of the node they became; for unparsing and explanations. */
  readonly macroCalls: ReadonlyMap<number, Expr>;
}

/** The hidden accumulator of the standard macros. */
export const ACCUMULATOR = "@result";
/** The name before cel-go 0.23, which expressions could write. */
export const WRITABLE_ACCUMULATOR = "__result__";
