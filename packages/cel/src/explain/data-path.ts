// The path of the data that an expression reads: `c.image` in the third round of a loop over `object.spec.containers` is
// `spec.containers[2].image`.

import type { Comprehension, Expr, Select } from "../ast/expr.ts";
import { nodesOf } from "../ast/visit.ts";
import { isList, isMap } from "../value/box.ts";
import { findValue, type Scope } from "./recording.ts";

/** A place in the data that an expression reads: a variable, and steps from it. */
export interface DataPath {
  /** The variable it begins at: `object`, `oldObject`, `params`, `self`, … */
  readonly root: string;
  readonly path: readonly (string | number)[];
}

/** Writes the path as people do. The object itself needs no name. */
export function dataPathText({ root, path }: DataPath): string {
  const text = path
    .map((part) => (typeof part === "number" ? `[${part}]` : IDENTIFIER.test(part) ? `.${part}` : `['${part}']`))
    .join("");
  if (root !== "object") return root + text;
  return text === "" ? root : text.replace(/^\./, "");
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Finds paths. */
export interface PathFinder extends Folds {
  /** The data's name of a field, which types may have given another one in expressions. */
  readonly fieldName: (select: Select) => string;
}

export interface Folds {
  /** Every loop of the expression by its id. */
  readonly loops: ReadonlyMap<number, Comprehension>;
  /** The expressions that variables of `cel.bind` stand for. */
  readonly bound: ReadonlyMap<string, Expr>;
}

export function foldsOf(root: Expr): Folds {
  const loops = new Map<number, Comprehension>();
  const bound = new Map<string, Expr>();
  for (const [id, node] of nodesOf(root)) {
    if (node.kind !== "comprehension") continue;
    if (isBinding(node)) bound.set(node.accuVar, node.init);
    else loops.set(id, node);
  }
  return { loops, bound };
}

/** `cel.bind` and macros built on it: a fold over nothing, for the sake of its variable. */
export function isBinding({ iterVar, range }: Comprehension): boolean {
  return iterVar === "#unused" && range.kind === "list" && range.elements.length === 0;
}

/** Undefined for a computed value. */
export function dataPathOf(expr: Expr, scope: Scope, finder: PathFinder): DataPath | undefined {
  switch (expr.kind) {
    case "ident":
      return rootOf(expr.name, scope, finder);
    case "select":
      return below(dataPathOf(expr.operand, scope, finder), finder.fieldName(expr));
    case "call": {
      // The content of an optional lies where the optional was read.
      if (expr.function === "value" && expr.target !== undefined) return dataPathOf(expr.target, scope, finder);
      const [operand, index] = expr.args;
      if (!ACCESS.has(expr.function) || operand === undefined || index === undefined) return undefined;
      return below(dataPathOf(operand, scope, finder), indexValue(index, scope, finder));
    }
    default:
      return undefined;
  }
}

const ACCESS: ReadonlySet<string> = new Set(["_[_]", "_[?_]", "_?._"]);

function below(base: DataPath | undefined, key: unknown): DataPath | undefined {
  if (base === undefined || (typeof key !== "number" && typeof key !== "string")) return undefined;
  return { root: base.root, path: [...base.path, key] };
}

/** Literals and loop variables are not recorded: they are known. */
function indexValue(expr: Expr, scope: Scope, finder: PathFinder): unknown {
  if (expr.kind === "literal") return expr.value;
  const bound = expr.kind === "ident" ? iterationOf(expr.name, scope, finder) : undefined;
  if (bound === undefined) return findValue(expr.id, scope)?.value;
  return bound.isElement ? bound.iteration.element : bound.key;
}

/** The iteration that a loop variable belongs to. */
function iterationOf(name: string, scope: Scope, { loops }: PathFinder): Iteration | undefined {
  for (let item: Scope | undefined = scope; item?.loop !== undefined; item = item.parent) {
    const loop = loops.get(item.loop);
    if (loop === undefined || (loop.iterVar !== name && loop.iterVar2 !== name)) continue;
    const range = rangeOf(loop, item);
    // The first of two variables is an index or key, and so is the only one over a map.
    const isElement = loop.iterVar2 === "" ? isList(range) : loop.iterVar2 === name;
    return { loop, iteration: item, isElement, key: isList(range) ? item.index : item.key };
  }
  return undefined;
}

interface Iteration {
  readonly loop: Comprehension;
  readonly iteration: Scope;
  readonly isElement: boolean;
  readonly key: unknown;
}

function rootOf(name: string, scope: Scope, finder: PathFinder): DataPath | undefined {
  const found = iterationOf(name, scope, finder);
  // Indices and keys name no place of their own.
  if (found !== undefined) return found.isElement ? elementPath(found.loop, found.iteration, finder) : undefined;
  const bound = finder.bound.get(name);
  if (bound !== undefined) return dataPathOf(bound, scope, finder);
  return name.startsWith("@") ? undefined : { root: name, path: [] };
}

/** The place of the element or entry that an iteration is about, where the loop is over data. */
export function elementPath(loop: Comprehension, iteration: Scope, finder: PathFinder): DataPath | undefined {
  if (iteration.parent === undefined) return undefined;
  const range = rangeOf(loop, iteration);
  const key = isList(range) ? iteration.index : isMap(range) ? iteration.key : undefined;
  return below(dataPathOf(loop.range, iteration.parent, finder), key);
}

function rangeOf({ range }: Comprehension, { parent }: Scope): unknown {
  return parent && findValue(range.id, parent)?.value;
}
