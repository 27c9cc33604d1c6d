// The static estimate: what evaluating a checked expression may cost, before there is data. Answers to the unit as cel-go's
// checker/cost.go does, oddities included, because a Kubernetes API server refuses rules by this number.

import {
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  type Select,
  type StructExpr,
  WRITABLE_ACCUMULATOR,
} from "../ast/expr.ts";
import type { Overload } from "../call/overload.ts";
import type { Checked } from "../check/checked.ts";
import { uniteEntries } from "../cost/entries.ts";
import type { Estimate, Range, SizedArg } from "../cost/formula.ts";
import { LIST_BASE, MAP_BASE, STRUCT_BASE } from "../cost/formulas.ts";
import { add, EMPTY, exactly, multiply, ONE, sum, union, ZERO } from "../cost/range.ts";
import { DYN } from "../value/type.ts";
import { Path } from "./path.ts";
import { type SizeEstimator, Sizes } from "./sizes.ts";

/** A call to estimate, without the cost of its arguments. The receiver is the first argument. */
export interface EstimatedCall {
  readonly function: string;
  readonly overload: Overload;
  readonly args: readonly SizedArg[];
}

/** Sizes that are known before there is data. */
export interface EstimateOptions {
  /** Sizes of the data behind variables. Without it every string, list and map is [0..MAX]. */
  readonly sizes?: SizeEstimator;
  /** The cost that `has()` adds to its operand's; Kubernetes says 0. */
  readonly presenceTestCost?: 0 | 1;
  /** Call costs of a host's own functions, which take precedence over the formula of the overload. */
  readonly overrides?: (call: EstimatedCall) => Estimate | undefined;
}

/** The cost of the whole expression. */
export function estimateCost(checked: Checked, options: EstimateOptions = {}): Range {
  return new Walk(checked, options).cost(checked.ast.expr);
}

/** The cost of every node with all below it, by node id. */
export function estimateNodes(checked: Checked, options: EstimateOptions = {}): ReadonlyMap<number, Range> {
  const walk = new Walk(checked, options);
  walk.cost(checked.ast.expr);
  return walk.costs;
}

const LIST_COST = exactly(LIST_BASE);
const MAP_COST = exactly(MAP_BASE);
const STRUCT_COST = exactly(STRUCT_BASE);

class Walk {
  readonly costs: Map<number, Range> = new Map();
  readonly #checked: Checked;
  readonly #options: EstimateOptions;
  readonly #presenceTest: Range;
  readonly #sizes: Sizes;

  constructor(checked: Checked, options: EstimateOptions) {
    this.#checked = checked;
    this.#options = options;
    this.#presenceTest = exactly(options.presenceTestCost ?? 1);
    this.#sizes = new Sizes(checked, options.sizes);
  }

  cost(expr: Expr): Range {
    const cost = this.#costOf(expr);
    this.costs.set(expr.id, cost);
    return cost;
  }

  #costOf(expr: Expr): Range {
    switch (expr.kind) {
      case "literal":
        return ZERO;
      case "ident":
        return this.#name(expr, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
    }
  }

  #name(expr: Expr, written: string): Range {
    const name = this.#sizes.nameOf(expr) ?? written;
    this.#sizes.setPath(expr, this.#sizes.local(name) ?? Path.of(name));
    return ONE;
  }

  #select(expr: Select): Range {
    if (expr.test) return add(this.#presenceTest, this.cost(expr.operand));
    const name = this.#sizes.nameOf(expr);
    if (name !== undefined) return this.#name(expr, name);
    const operand = this.cost(expr.operand);
    this.#sizes.setPath(expr, this.#sizes.path(expr.operand).append(expr.field));
    switch (this.#sizes.typeOf(expr.operand)?.kind) {
      case "map":
      case "struct":
      case "param":
        return add(operand, ONE);
      default:
        return operand;
    }
  }

  #call(expr: Call): Range {
    const sizes = this.#sizes;
    if (expr.function === "dyn" && expr.args[0] !== undefined) {
      const argument = this.cost(expr.args[0]);
      sizes.copy(expr, expr.args[0]);
      return add(ONE, argument);
    }
    const argCosts: Range[] = [];
    const args: SizedArg[] = [];
    for (const arg of expr.args) {
      argCosts.push(this.cost(arg));
      args.push(sizes.argument(arg, DYN));
    }
    const reference = this.#checked.references.get(expr.id);
    if (reference?.kind !== "function" || reference.overloads.length === 0) return ZERO;
    let receiver = ZERO;
    if (expr.target !== undefined && !reference.qualified) {
      receiver = this.cost(expr.target);
      args.unshift(sizes.argument(expr.target, DYN));
    }

    let cost = EMPTY;
    let size: Range | undefined;
    for (const overload of reference.overloads) {
      const estimate = this.#overload(reference.name, overload, args, argCosts);
      cost = union(cost, estimate.cost);
      sizes.setEntries(expr, estimate.entries);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      const container = expr.args[0];
      if (container !== undefined && (overload.id === "index_list" || overload.id === "index_map")) {
        size = sizes.entries(container)?.value;
        sizes.setPath(expr, sizes.path(container).append(overload.id === "index_list" ? "@items" : "@values"));
      }
      size ??= sizes.size(expr);
    }
    sizes.setSize(expr, size);
    return add(receiver, cost);
  }

  /** The cost of one overload with the arguments, without the receiver. */
  #overload(name: string, overload: Overload, args: readonly SizedArg[], argCosts: readonly Range[]): Estimate {
    const own = this.#options.overrides?.({ function: name, overload, args });
    if (own !== undefined) return { ...own, cost: add(own.cost, sum(argCosts)) };
    switch (overload.id) {
      case "logical_and":
      case "logical_or": {
        // The left side alone may decide.
        const [left = ZERO, right = ZERO] = argCosts;
        return { cost: { min: left.min, max: add(left, right).max } };
      }
      case "conditional": {
        const [condition = ZERO, whenTrue = ZERO, whenFalse = ZERO] = argCosts;
        const [, yes, no] = args as [SizedArg, SizedArg, SizedArg];
        const entries = uniteEntries(yes.entries, no.entries);
        const cost = add(condition, union(whenTrue, whenFalse));
        return { cost, size: union(yes.size, no.size), ...(entries === undefined ? {} : { entries }) };
      }
    }
    const estimate = overload.cost.estimate(args);
    return { ...estimate, cost: add(estimate.cost, sum(argCosts)) };
  }

  #list(expr: ListExpr): Range {
    let cost = ZERO;
    let value = expr.elements.length === 0 ? ZERO : EMPTY;
    for (const element of expr.elements) {
      cost = add(cost, this.cost(element));
      value = union(value, this.#sizes.sizeOrUnknown(element));
    }
    this.#sizes.setEntries(expr, { container: "list", key: ONE, value });
    return add(cost, LIST_COST);
  }

  #map(expr: MapExpr): Range {
    let cost = ZERO;
    let key = expr.entries.length === 0 ? ZERO : EMPTY;
    let value = key;
    for (const entry of expr.entries) {
      cost = add(cost, this.cost(entry.key));
      cost = add(cost, this.cost(entry.value));
      key = union(key, this.#sizes.sizeOrUnknown(entry.key));
      value = union(value, this.#sizes.sizeOrUnknown(entry.value));
    }
    this.#sizes.setEntries(expr, { container: "map", key, value });
    return add(cost, MAP_COST);
  }

  #struct(expr: StructExpr): Range {
    return add(sum(expr.fields.map((field) => this.cost(field.value))), STRUCT_COST);
  }

  #comprehension(expr: Comprehension): Range {
    const sizes = this.#sizes;
    const start = add(this.cost(expr.range), this.cost(expr.init));
    sizes.pushLocal(expr.accuVar, expr.init);
    if (expr.iterVar2 === "") {
      sizes.pushSingle(expr.iterVar, expr.range);
    } else {
      sizes.pushKey(expr.iterVar, expr.range);
      sizes.pushValue(expr.iterVar2, expr.range);
    }
    const iteration = add(this.cost(expr.condition), this.cost(expr.step));
    sizes.pop(expr.iterVar);
    if (expr.iterVar2 !== "") sizes.pop(expr.iterVar2);
    const result = this.cost(expr.result);
    sizes.pop(expr.accuVar);

    const count = sizes.sizeOrUnknown(expr.range);
    if (expr.init.kind === "literal") {
      sizes.setSize(expr, sizes.size(expr.init));
    } else if (expr.init.kind === "list" || expr.init.kind === "map") {
      sizes.setSize(expr, count);
      sizes.setEntries(expr, sizes.entries(expr.step));
    }
    return sum([start, result, multiply(count, iteration)]);
  }

  /** A fold over nothing that only names a value. The empty list is costed, though nothing iterates over it. */
  #bind(expr: Comprehension): Range {
    const start = add(this.cost(expr.range), this.cost(expr.init));
    this.#sizes.pushLocal(expr.accuVar, expr.init);
    const result = this.cost(expr.result);
    this.#sizes.pop(expr.accuVar);
    this.#sizes.copy(expr, expr.result);
    return add(start, result);
  }
}

function isBind(expr: Comprehension): boolean {
  const { range, condition, accuVar } = expr;
  const overNothing = range.kind === "list" && range.elements.length === 0;
  return overNothing && condition.kind === "literal" && condition.value === false && accuVar !== WRITABLE_ACCUMULATOR;
}
