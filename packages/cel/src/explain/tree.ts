// The evaluated expression as a tree people can read: macros as they were written, every part with its text, value and cost,
// parts that were not evaluated marked so, and of a loop the element that decided.

import type { Ast, Call, Comprehension, Expr, Select } from "../ast/expr.ts";
import { childrenOf, nodesOf } from "../ast/visit.ts";
import { type CelError, isError } from "../value/error.ts";
import type { Value } from "../value/value.ts";
import {
  type DataPath,
  dataPathOf,
  dataPathText,
  elementPath,
  foldsOf,
  isBinding,
  type PathFinder,
} from "./data-path.ts";
import { findValue, type LoopRun, type Recording, type Scope } from "./recording.ts";
import { showValue } from "./show-value.ts";

/** A part of an expression: its text, its value and its own parts. */
export interface ExplainedNode {
  readonly text: string;
  /** Offsets in the expression's text. */
  readonly start: number;
  readonly end: number;
  /** False when evaluation did not come here: another branch was taken, or the result was clear before. */
  readonly evaluated: boolean;
  readonly value?: Value;
  /** The value as text, cut when long. */
  readonly shown?: string;
  readonly error?: string;
  /** The cost of this part and those below it in the last evaluation. */
  readonly cost?: number;
  /** The path of the data that was read: `spec.containers[2].image`. */
  readonly path?: string;
  readonly dataPath?: DataPath;
  /** The number of iterations of a loop, and the deciding one. */
  readonly loop?: ExplainedLoop;
  readonly children: readonly ExplainedNode[];
}

/** The number of iterations of a macro such as `all`, and the element that decided. */
export interface ExplainedLoop {
  readonly iterations: number;
  readonly deciding?: {
    readonly index: number;
    /** `spec.containers[2]`, where the loop is over data. */
    readonly path?: string;
    readonly dataPath?: DataPath;
    readonly element: Value;
    readonly shown: string;
  };
  /** The elements that `filter`, or `map` with a condition, let through; only the first if there are very many. */
  readonly kept?: readonly { readonly index: number; readonly path?: string; readonly dataPath?: DataPath }[];
}

/** Options for showing a recorded evaluation. */
export interface ExplainOptions {
  /** The data's name of a field, where expressions have another one for it. */
  readonly fieldName?: (select: Select) => string;
  /** Writes paths: `spec.replicas` for `self.replicas` in a rule of `spec`. */
  readonly pathText?: (path: DataPath) => string;
}

/** Builds the tree of a recorded evaluation. */
export function explainTree(ast: Ast, recording: Recording, options: ExplainOptions = {}): ExplainedNode {
  return new TreeBuilder(ast, options).node(ast.expr, recording.root);
}

class TreeBuilder {
  readonly #ast: Ast;
  readonly #finder: PathFinder;
  readonly #pathText: (path: DataPath) => string;

  constructor(ast: Ast, { fieldName = ({ field }) => field, pathText = dataPathText }: ExplainOptions) {
    this.#ast = ast;
    this.#finder = { ...foldsOf(ast.expr), fieldName };
    this.#pathText = pathText;
  }

  node(expr: Expr, scope: Scope): ExplainedNode {
    const span = this.#ast.spans.get(expr.id);
    const [start, end] = [span?.start ?? 0, span?.end ?? 0];
    const found = findValue(expr.id, scope);
    const dataPath =
      expr.kind === "select" || expr.kind === "call" || expr.kind === "ident"
        ? dataPathOf(expr, scope, this.#finder)
        : undefined;
    const { children, loop } = this.#parts(expr, scope);
    return {
      text: this.#ast.source.text.slice(start, end),
      start,
      end,
      evaluated: found !== undefined || expr.kind === "literal",
      ...(found === undefined ? {} : outcome(found.value, found.cost)),
      ...this.#place(dataPath),
      ...(loop && { loop }),
      children,
    };
  }

  #parts(expr: Expr, scope: Scope): { children: ExplainedNode[]; loop?: ExplainedLoop } {
    if (expr.kind !== "comprehension") return { children: childrenOf(expr).map((child) => this.node(child, scope)) };
    if (isBinding(expr)) {
      return { children: [this.node(expr.init, scope), this.node(expr.result, scope)] };
    }
    const macro = this.#ast.macroCalls.get(expr.id);
    const call = macro?.kind === "call" ? macro : undefined;
    const run = scope.loops.get(expr.id);
    const predicate = call?.args.at(-1);
    const range = this.node(expr.range, scope);
    if (call === undefined || predicate === undefined) return { children: [range] };
    const body = predicateIn(expr, predicate);
    const deciding = run && decidingScope(call.function, body.id, run);
    const kept = run && keptScopes(expr, call, run);
    const inside = deciding ?? kept?.[0] ?? run?.kept.at(-1);
    const children = [range, inside === undefined ? this.#unevaluated(body) : this.node(body, inside)];
    return { children, loop: this.#loop(expr, run, deciding, kept) };
  }

  #loop(
    expr: Comprehension,
    run: LoopRun | undefined,
    deciding: Scope | undefined,
    kept: readonly Scope[] | undefined,
  ): ExplainedLoop {
    return {
      iterations: run?.iterations ?? 0,
      ...(deciding && { deciding: this.#deciding(expr, deciding) }),
      ...(kept && { kept: kept.map((scope) => ({ index: scope.index, ...this.#elementPlace(expr, scope) })) }),
    };
  }

  #deciding(expr: Comprehension, scope: Scope): NonNullable<ExplainedLoop["deciding"]> {
    const { index, element } = scope;
    return { index, element, shown: showValue(element), ...this.#elementPlace(expr, scope) };
  }

  #elementPlace(expr: Comprehension, scope: Scope): Pick<ExplainedNode, "dataPath" | "path"> | undefined {
    return this.#place(elementPath(expr, scope, this.#finder));
  }

  #place(dataPath: DataPath | undefined): { readonly dataPath: DataPath; readonly path: string } | undefined {
    return dataPath && { dataPath, path: this.#pathText(dataPath) };
  }

  #unevaluated(expr: Expr): ExplainedNode {
    const span = this.#ast.spans.get(expr.id);
    const [start, end] = [span?.start ?? 0, span?.end ?? 0];
    return { text: this.#ast.source.text.slice(start, end), start, end, evaluated: false, children: [] };
  }
}

// A macro call keeps its arguments as they were written; one that is a macro itself became another node of the fold.
function predicateIn(expr: Comprehension, predicate: Expr): Expr {
  return nodesOf(expr).get(predicate.id) ?? predicate;
}

/** The first iteration whose predicate decided the result; or the first that failed. */
function decidingScope(macro: string, predicate: number, run: LoopRun): Scope | undefined {
  const decisive = macro === "all" ? false : macro === "exists" ? true : undefined;
  const answerIn = (scope: Scope): unknown => scope.values.get(predicate)?.value;
  const decided = decisive === undefined ? undefined : run.kept.find((scope) => answerIn(scope) === decisive);
  return decided ?? run.kept.find((scope) => isError(answerIn(scope)));
}

/** The iterations of a filtering macro that let their element through, in order, up to the first gap in the record. */
function keptScopes(expr: Comprehension, { function: macro, args }: Call, run: LoopRun): readonly Scope[] | undefined {
  const written =
    (macro === "filter" && args.length === 2) || (macro === "map" && args.length === 3) ? args[1] : undefined;
  if (written === undefined) return undefined;
  const condition = predicateIn(expr, written).id;
  return run.kept.filter(({ index, values }, i) => index === i && values.get(condition)?.value === true);
}

function outcome(value: Value | CelError, cost: number): Pick<ExplainedNode, "value" | "shown" | "error" | "cost"> {
  return isError(value) ? { error: value.message, cost } : { value, shown: showValue(value), cost };
}
