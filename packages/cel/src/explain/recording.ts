// A record of one evaluation, node by node and iteration by iteration, as the engine's recorder received it. Values inside a loop belong to
// the iteration they were made in: the same node has another value for every element.

import type { Expr } from "../ast/expr.ts";
import { childrenOf } from "../ast/visit.ts";
import type { Recorder } from "../run/frame.ts";
import { type CelError, isError } from "../value/error.ts";
import type { Value } from "../value/value.ts";

/** One iteration of a loop, or the expression outside all loops. */
export interface Scope {
  /** Undefined for the expression itself. */
  readonly loop: number | undefined;
  readonly parent: Scope | undefined;
  /** The number of the iteration, from 0. */
  readonly index: number;
  /** The key, in a loop over a map. */
  readonly key: Value;
  readonly element: Value;
  readonly values: Map<number, RecordedValue>;
  /** Loops that ran inside, each with its iterations. */
  readonly loops: Map<number, LoopRun>;
}

export interface RecordedValue {
  readonly value: Value | CelError;
  readonly cost: number;
}

export interface LoopRun {
  iterations: number;
  /** Not all of them, when there are very many: the first, the last two (a loop may begin one more once it is decided), and some that failed. */
  readonly kept: Scope[];
}

/** The number of iterations kept for each loop, and the number kept beyond that because they failed. */
const KEPT = 64;
const KEPT_WITH_FAILED = 128;

/** Records the value of every part of an expression in one evaluation. */
export class Recording implements Recorder {
  readonly root: Scope = scopeOf(undefined, undefined, 0, undefined, undefined);
  readonly #enclosing: ReadonlyMap<number, number | undefined>;
  #current: Scope = this.root;

  constructor(expr: Expr) {
    this.#enclosing = enclosingLoops(expr);
  }

  value(id: number, value: Value | CelError, cost: number): void {
    this.#scopeFor(this.#enclosing.get(id)).values.set(id, { value, cost });
  }

  iteration(id: number, key: Value, element: Value): void {
    const parent = this.#scopeFor(this.#enclosing.get(id));
    let run = parent.loops.get(id);
    if (run === undefined) {
      run = { iterations: 0, kept: [] };
      parent.loops.set(id, run);
    }
    const { kept } = run;
    if (kept.length > KEPT && (kept.length > KEPT_WITH_FAILED || !hasFailed(kept.at(-2)!))) kept.splice(-2, 1);
    this.#current = scopeOf(id, parent, run.iterations, key, element);
    run.iterations++;
    kept.push(this.#current);
  }

  /** The innermost scope of a loop that is running, or of what surrounds it. */
  #scopeFor(loop: number | undefined): Scope {
    for (let wanted = loop; wanted !== undefined; wanted = this.#enclosing.get(wanted)) {
      for (let scope: Scope | undefined = this.#current; scope !== undefined; scope = scope.parent) {
        if (scope.loop === wanted) return scope;
      }
    }
    return this.root;
  }
}

function scopeOf(
  loop: number | undefined,
  parent: Scope | undefined,
  index: number,
  key: Value,
  element: Value,
): Scope {
  return { loop, parent, index, key, element, values: new Map(), loops: new Map() };
}

function hasFailed({ values }: Scope): boolean {
  for (const { value } of values.values()) if (isError(value)) return true;
  return false;
}

/** Finds the last value of a node in an iteration or in one around it. */
export function findValue(id: number, scope: Scope): RecordedValue | undefined {
  for (let item: Scope | undefined = scope; item !== undefined; item = item.parent) {
    const found = item.values.get(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** For every node the loop in which it is evaluated. A loop's range is outside of it. */
function enclosingLoops(root: Expr): ReadonlyMap<number, number | undefined> {
  const enclosing = new Map<number, number | undefined>();
  const stack: { expr: Expr; loop: number | undefined }[] = [{ expr: root, loop: undefined }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { expr, loop } = top;
    enclosing.set(expr.id, loop);
    for (const child of childrenOf(expr)) {
      const inside =
        expr.kind === "comprehension" && child !== expr.range && child !== expr.init && child !== expr.result;
      stack.push({ expr: child, loop: inside ? expr.id : loop });
    }
  }
  return enclosing;
}
