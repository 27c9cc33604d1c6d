// Sizes that the static estimate knows: by node, by path and by local variable. Filled while the tree is walked; the order of questions
// matters, because an answer of the size estimator is kept for the node it was given for.

import { ACCUMULATOR, type Expr, WRITABLE_ACCUMULATOR } from "../ast/expr.ts";
import type { Checked } from "../check/checked.ts";
import type { Entries, Range, SizedArg } from "../cost/formula.ts";
import { exactly, ONE, UNKNOWN } from "../cost/range.ts";
import { costSize } from "../value/size/size.ts";
import { isOptionalType, type Type } from "../value/type.ts";
import { Path } from "./path.ts";

/** A node to estimate the size of. The path is empty if the data cannot be traced to a variable. */
export interface SizedNode {
  /** A variable, then field names, `@items`, `@indices`, `@keys`, `@values`. */
  readonly path: readonly string[];
  readonly type: Type;
  /** The node itself; for the elements of a list, the list. */
  readonly expr: Expr;
}

/** Knows how large the data behind variables may be: code points of a string, bytes, elements of a list, entries of a map. */
export interface SizeEstimator {
  size(node: SizedNode): Range | undefined;
}

interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
}

export class Sizes {
  readonly #checked: Checked;
  readonly #estimator: SizeEstimator | undefined;
  readonly #paths = new Map<number, Path>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, Entries>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: Checked, estimator: SizeEstimator | undefined) {
    this.#checked = checked;
    this.#estimator = estimator;
  }

  typeOf(expr: Expr): Type | undefined {
    return this.#checked.types.get(expr.id);
  }

  /** The name of a node that stands for a variable, a type or an enum constant; `a.b` may be one name. */
  nameOf(expr: Expr): string | undefined {
    if (expr.kind !== "ident" && expr.kind !== "select") return undefined;
    const reference = this.#checked.references.get(expr.id);
    if (reference !== undefined && reference.kind !== "function") return reference.name;
    return expr.kind === "ident" ? expr.name.replace(/^\./, "") : undefined;
  }

  setPath(expr: Expr, path: Path): void {
    this.#paths.set(expr.id, path);
  }
  setSize(expr: Expr, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expr.id, size);
  }
  setEntries(expr: Expr, entries: Entries | undefined): void {
    if (entries !== undefined) this.#entries.set(expr.id, entries);
  }
  copy(to: Expr, from: Expr): void {
    this.setSize(to, this.size(from));
    this.setEntries(to, this.entries(from));
  }

  path(expr: Expr): Path {
    return this.#local(expr)?.path ?? this.#paths.get(expr.id) ?? Path.empty;
  }

  /** First hit wins: noted for the node, literal, size estimator, type of fixed size, local variable. */
  size(expr: Expr): Range | undefined {
    const noted = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (noted !== undefined) return noted;
    const type = this.typeOf(expr);
    if (type !== undefined) {
      const estimated = this.#estimator?.size({ path: this.path(expr).steps(), type, expr });
      if (estimated !== undefined) {
        this.#sizes.set(expr.id, estimated);
        return estimated;
      }
      if (isScalar(type)) return ONE;
    }
    return this.#local(expr)?.size;
  }
  sizeOrUnknown(expr: Expr): Range {
    return this.size(expr) ?? UNKNOWN;
  }

  entries(expr: Expr): Entries | undefined {
    return this.#entries.get(expr.id) ?? this.#local(expr)?.entries;
  }

  /** An argument in the form that formulas take. Sizes from the moment when the argument was costed. */
  argument(expr: Expr, fallback: Type): SizedArg {
    const path = this.path(expr);
    const isAccumulator = path.root === ACCUMULATOR || path.root === WRITABLE_ACCUMULATOR;
    const type = this.typeOf(expr) ?? fallback;
    const size = this.size(expr);
    return new Argument(expr, type, size, this.entries(expr), isAccumulator ? Path.empty : path, this.#estimator);
  }

  local(name: string): Path | undefined {
    return this.#locals.get(name)?.at(-1)?.path;
  }
  /** A variable that holds the value of `expr`. */
  pushLocal(name: string, expr: Expr): void {
    this.#push(name, { path: this.path(expr), size: this.size(expr), entries: this.entries(expr) });
  }
  /** The only variable of a fold: an element of a list, a key of a map. */
  pushSingle(name: string, over: Expr): void {
    if (this.#isList(over)) this.pushValue(name, over);
    else this.pushKey(name, over);
  }
  pushKey(name: string, over: Expr): void {
    const step = this.#isList(over) ? "@indices" : "@keys";
    this.#push(name, { path: this.path(over).append(step), size: this.entries(over)?.key, entries: undefined });
  }
  pushValue(name: string, over: Expr): void {
    const step = this.#isList(over) ? "@items" : "@values";
    this.#push(name, { path: this.path(over).append(step), size: this.entries(over)?.value, entries: undefined });
  }
  pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }
  #local(expr: Expr): Local | undefined {
    const name = this.nameOf(expr);
    return name === undefined ? undefined : this.#locals.get(name)?.at(-1);
  }
  #isList(over: Expr): boolean {
    return (this.entries(over)?.container ?? this.typeOf(over)?.kind) === "list";
  }
}

class Argument implements SizedArg {
  readonly type: Type;
  readonly size: Range;
  readonly sizeKnown: boolean;
  declare readonly entries?: Entries;
  declare readonly literal?: unknown;
  readonly #expr: Expr;
  readonly #path: Path;
  readonly #estimator: SizeEstimator | undefined;

  constructor(
    expr: Expr,
    type: Type,
    size: Range | undefined,
    entries: Entries | undefined,
    path: Path,
    estimator: SizeEstimator | undefined,
  ) {
    this.type = type;
    this.size = size ?? UNKNOWN;
    this.sizeKnown = size !== undefined;
    if (entries !== undefined) this.entries = entries;
    if (expr.kind === "literal") this.literal = expr.value;
    this.#expr = expr;
    this.#path = path;
    this.#estimator = estimator;
  }

  get lateSize(): Range {
    if (this.sizeKnown) return this.size;
    const node = { path: this.#path.steps(), type: this.type, expr: this.#expr };
    return this.#estimator?.size(node) ?? UNKNOWN;
  }

  // Asked for only by the few formulas that look into a list.
  get element(): Range {
    const type = this.type.params[0];
    if (type === undefined) return UNKNOWN;
    const path = this.#path.length === 0 ? [] : [...this.#path.steps(), "@items"];
    return this.#estimator?.size({ path, type, expr: this.#expr }) ?? UNKNOWN;
  }
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case "literal":
      return exactly(costSize(expr.value));
    case "list":
      return exactly(expr.elements.length);
    case "map":
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

/** Types whose values are always one unit. */
function isScalar(type: Type): boolean {
  switch (type.kind) {
    case "bool":
    case "double":
    case "duration":
    case "int":
    case "timestamp":
    case "uint":
      return true;
    case "wrapper":
      return isScalar(type.params[0] as Type);
    case "opaque":
      return isOptionalType(type) && type.params[0] !== undefined && isScalar(type.params[0]);
    default:
      return false;
  }
}
