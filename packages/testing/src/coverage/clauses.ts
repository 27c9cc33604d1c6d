// The clauses of an expression as its author wrote it: the whole, the operands of `&&` and `||`, the branches of `?:` and the bodies
// of macros. Only the arguments of macros are used, never their expansion. Anything else belongs to the clause around it.

import { type Ast, childrenOf, type Expr } from "@celadon/cel/ast";
import { NO_SHAPES, type Shapes } from "./shapes.ts";

export type ClauseRole =
  /** The whole expression. */
  | "expression"
  /** An operand of `&&` and `||`; a chain of the same operator is one, parentheses or not. */
  | "operand"
  /** The body of a macro that tests elements: of `all`, `exists`, `filter`… */
  | "predicate"
  /** A macro's body that makes a value: of `map`, `optMap`… */
  | "transform";

export interface Clause {
  readonly role: ClauseRole;
  readonly node: Expr;
  /** Parts of it that can fail and stand in no smaller clause. */
  readonly fallible: readonly Expr[];
}

/** `test ? whenTrue : whenFalse` */
export interface Conditional {
  readonly test: Expr;
  readonly whenTrue: Expr;
  readonly whenFalse: Expr;
}

export interface Clauses {
  /** In the order they begin, the outer before the inner. */
  readonly clauses: readonly Clause[];
  readonly conditionals: readonly Conditional[];
}

/** Names of a macro, then its arguments: a (n)ame, a (p)redicate or a (t)ransform. Bodies of other macros are merely evaluated. */
const MACROS: ReadonlyMap<string, string> = new Map([
  ...["all", "exists", "exists_one", "existsOne"].flatMap((name): [string, string][] => [
    [`${name}/2`, "np"],
    [`${name}/3`, "nnp"],
  ]),
  ...["transformList", "transformMap", "transformMapEntry"].flatMap((name): [string, string][] => [
    [`${name}/3`, "nnt"],
    [`${name}/4`, "nnpt"],
  ]),
  ["filter/2", "np"],
  ["map/2", "nt"],
  ["map/3", "npt"],
  ["optMap/2", "nt"],
  ["optFlatMap/2", "nt"],
  ["sortBy/2", "nt"],
]);

interface Visit {
  readonly expr: Expr;
  readonly clause: { readonly fallible: Expr[] };
  readonly shapes: Shapes;
}

/** `canFail` is called for every part that is written. */
export function clausesOf(
  ast: Ast,
  canFail: (expr: Expr, shapes: Shapes) => boolean = () => false,
  shapes: Shapes = NO_SHAPES,
): Clauses {
  const clauses: (Clause & { readonly fallible: Expr[] })[] = [];
  const conditionals: Conditional[] = [];
  const open: Visit[] = [];
  const begin = (role: ClauseRole, node: Expr, known: Shapes): void => {
    // A constant is never anything else.
    if (node.kind === "literal" && role !== "expression") return;
    const clause = { role, node, fallible: [] };
    clauses.push(clause);
    open.push({ expr: node, clause, shapes: known });
  };
  begin("expression", ast.expr, shapes);
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { expr, clause, shapes: known } = top;
    const macro = ast.macroCalls.get(expr.id);
    if (macro?.kind === "call" && expr.kind !== "select") {
      const { function: name, target, args } = macro;
      const roles = MACROS.get(`${name}/${args.length}`) ?? "";
      const inner = known.within(name, target, args, roles);
      if (target !== undefined) open.push({ ...top, expr: target });
      args.forEach((arg, i) => {
        if (roles[i] === "p") begin("predicate", arg, inner);
        else if (roles[i] === "t") begin("transform", arg, inner);
        else if (roles[i] !== "n") open.push({ ...top, expr: arg });
      });
      continue;
    }
    if (canFail(expr, known)) clause.fallible.push(expr);
    if (expr.kind === "call" && (expr.function === "_&&_" || expr.function === "_||_")) {
      for (const operand of operandsOf(expr, expr.function)) begin("operand", operand, known);
      continue;
    }
    if (expr.kind === "call" && expr.function === "_?_:_") {
      const [test, whenTrue, whenFalse] = expr.args as [Expr, Expr, Expr];
      if (test.kind !== "literal") conditionals.push({ test, whenTrue, whenFalse });
    }
    for (const child of childrenOf(expr)) open.push({ ...top, expr: child });
  }
  const start = (expr: Expr): number => ast.spans.get(expr.id)?.start ?? 0;
  const end = (expr: Expr): number => ast.spans.get(expr.id)?.end ?? 0;
  const inOrder = (a: Expr, b: Expr): number => start(a) - start(b) || end(b) - end(a);
  return {
    clauses: [clauses[0]!, ...clauses.slice(1).sort((a, b) => inOrder(a.node, b.node))],
    conditionals: conditionals.sort((a, b) => inOrder(a.test, b.test)),
  };
}

function operandsOf(expr: Expr, operator: string): readonly Expr[] {
  const operands: Expr[] = [];
  const open = [expr];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (top.kind === "call" && top.function === operator) open.push(...top.args);
    else operands.push(top);
  }
  return operands;
}
