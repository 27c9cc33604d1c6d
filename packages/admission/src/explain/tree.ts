// The evaluated expression as a tree people can read: macros as they were written, every part with its text, value and cost,
// parts that were not evaluated marked so, and of a loop the element that decided.

import {
  type Ast,
  type CelError,
  type Comprehension,
  childrenOf,
  type Expr,
  isError,
  nodesOf,
  type Value,
} from "@celadon/cel";
import { formatValue } from "@celadon/cel/extend";
import { type DataPath, dataPathOf, dataPathText } from "./data-path.ts";
import type { LoopRun, Recording, Scope } from "./recording.ts";

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
  /** What this part and those below it cost, as last evaluated. */
  readonly cost?: number;
  /** Where in the data the value was read: `spec.containers[2].image`. */
  readonly path?: string;
  readonly dataPath?: DataPath;
  /** Of a loop: how often it ran, and the iteration that decided. */
  readonly loop?: ExplainedLoop;
  readonly children: readonly ExplainedNode[];
}

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
}

const SHOWN = 240;

export function explainTree(ast: Ast, recording: Recording): ExplainedNode {
  return new TreeBuilder(ast).node(ast.expr, recording.root);
}

class TreeBuilder {
  readonly #ast: Ast;
  readonly #loops: ReadonlyMap<number, Comprehension>;

  constructor(ast: Ast) {
    this.#ast = ast;
    const loops = new Map<number, Comprehension>();
    for (const [id, node] of nodesOf(ast.expr)) if (node.kind === "comprehension") loops.set(id, node);
    this.#loops = loops;
  }

  node(expr: Expr, scope: Scope): ExplainedNode {
    const span = this.#ast.spans.get(expr.id);
    const [start, end] = [span?.start ?? 0, span?.end ?? 0];
    const found = findValue(expr.id, scope);
    const dataPath =
      expr.kind === "select" || expr.kind === "call" || expr.kind === "ident"
        ? dataPathOf(expr, scope, this.#loops)
        : undefined;
    const { children, loop } = this.#parts(expr, scope);
    return {
      text: this.#ast.source.text.slice(start, end),
      start,
      end,
      evaluated: found !== undefined || expr.kind === "literal",
      ...(found === undefined ? {} : outcome(found.value, found.cost)),
      ...(dataPath && { dataPath, path: dataPathText(dataPath) }),
      ...(loop && { loop }),
      children,
    };
  }

  #parts(expr: Expr, scope: Scope): { children: ExplainedNode[]; loop?: ExplainedLoop } {
    if (expr.kind !== "comprehension") return { children: childrenOf(expr).map((child) => this.node(child, scope)) };
    const macro = this.#ast.macroCalls.get(expr.id);
    const call = macro?.kind === "call" ? macro : undefined;
    const run = scope.loops.get(expr.id);
    const predicate = call?.args.at(-1);
    const range = this.node(expr.range, scope);
    if (call === undefined || predicate === undefined) return { children: [range] };
    const body = predicateIn(expr, predicate);
    const deciding = run && decidingScope(call.function, body.id, run);
    const inside = deciding ?? run?.kept.at(-1);
    const children = [range, inside === undefined ? this.#unevaluated(body) : this.node(body, inside)];
    return { children, loop: this.#loop(expr, run, deciding) };
  }

  #loop(expr: Comprehension, run: LoopRun | undefined, deciding: Scope | undefined): ExplainedLoop {
    if (run === undefined || deciding === undefined) return { iterations: run?.iterations ?? 0 };
    const { index, element, parent } = deciding;
    const base =
      parent && Array.isArray(findValue(expr.range.id, parent)?.value)
        ? dataPathOf(expr.range, parent, this.#loops)
        : undefined;
    const dataPath = base && { root: base.root, path: [...base.path, index] };
    return {
      iterations: run.iterations,
      deciding: { index, element, shown: show(element), ...(dataPath && { dataPath, path: dataPathText(dataPath) }) },
    };
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

/** The first iteration whose predicate made the result what it is; or the first that failed. */
function decidingScope(macro: string, predicate: number, run: LoopRun): Scope | undefined {
  const decisive = macro === "all" ? false : macro === "exists" ? true : undefined;
  if (decisive === undefined) return undefined;
  const answerIn = (scope: Scope): unknown => scope.values.get(predicate)?.value;
  return run.kept.find((scope) => answerIn(scope) === decisive) ?? run.kept.find((scope) => isError(answerIn(scope)));
}

function findValue(id: number, scope: Scope): { value: Value | CelError; cost: number } | undefined {
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
    const found = one.values.get(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function outcome(value: Value | CelError, cost: number): Pick<ExplainedNode, "value" | "shown" | "error" | "cost"> {
  return isError(value) ? { error: value.message, cost } : { value, shown: show(value), cost };
}

/** A value as text of bounded length, whatever it is. */
export function show(value: Value): string {
  const text = typeof value === "object" && value !== null ? safeText(value) : formatValue(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}

function safeText(value: object): string {
  try {
    const json = JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? Number(one) : one));
    return json === undefined || json === "{}" ? formatValue(value) : json;
  } catch {
    return "(a value that cannot be shown)";
  }
}
