// Macros: calls that the parser rewrites before anything else sees them, matched by name, arity and receiver alone.

import type { Expr, MapEntry } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";

/** Makes nodes for the expansion of a macro. Each node gets a new number and the position of the macro call. */
export interface ExprFactory {
  literal(value: unknown): Expr;
  ident(name: string): Expr;
  /** The accumulator that macros share, `@result`. */
  accuIdent(): Expr;
  /** Whether expressions cannot write the name of the accumulator. */
  readonly hiddenAccumulator: boolean;
  select(operand: Expr, field: string): Expr;
  presenceTest(operand: Expr, field: string): Expr;
  call(name: string, ...args: Expr[]): Expr;
  memberCall(name: string, target: Expr, ...args: Expr[]): Expr;
  list(...elements: Expr[]): Expr;
  map(...entries: MapEntry[]): Expr;
  mapEntry(key: Expr, value: Expr, optional?: boolean): MapEntry;
  struct(type: string, fields: readonly { name: string; value: Expr; optional?: boolean }[]): Expr;
  fold(
    range: Expr,
    iterVar: string,
    iterVar2: string,
    /** Absent for the accumulator that macros share. */
    accuVar: string | undefined,
    init: Expr,
    condition: Expr,
    step: Expr,
    result: Expr,
  ): Expr;
  /** A deep copy with numbers of its own, for an argument that the expansion needs twice. */
  copy(expr: Expr): Expr;
  /** An issue at `expr` (or at the macro call); return it from `expand` instead of an expression. */
  issue(message: string, expr?: Expr): Issue;
}

/** A call that the parser replaces by another expression: `has`, `all`, `exists`. */
export interface Macro {
  readonly name: string;
  /** Number of arguments without the receiver; undefined for any number. */
  readonly arity: number | undefined;
  readonly receiver: boolean;
  /** The identifier that the receiver must be, where there is only one: `cel` of `cel.bind`. For documentation alone. */
  readonly namespace?: string;
  /** The expansion, an issue, or undefined to leave the call as it is. */
  expand(make: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | Issue | undefined;
}
