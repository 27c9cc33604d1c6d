// The cost of a call: one formula per overload. The static estimate feeds it ranges of sizes, evaluation feeds exact sizes. Factors, bases
// and their use are cel-go's (checker/cost.go, interpreter/runtimecost.go): users compare the numbers.

import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";

/** A closed range of uint64s. Sums and products saturate at MAX. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** The range of costs of a call, and of the size of its result. */
export interface Estimate {
  readonly cost: Range;
  /** The size of the result, if known. */
  readonly size?: Range;
  /** Sizes of the entries of a container result, if known. */
  readonly entries?: Entries;
}

/** Sizes of a container's entries. The key of a list's entry is its index. */
export interface Entries {
  readonly container: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

/** An argument as the estimator knows it. */
export interface SizedArg {
  readonly type: Type;
  /** [0..MAX] when unknown. */
  readonly size: Range;
  readonly sizeKnown: boolean;
  /**
   * Asks for the size again, if `size` is unknown. Formulas of extension libraries do that upstream, and by then the argument's path may be
   * another one (see path.ts). Absent means `size`.
   */
  readonly lateSize?: Range;
  /** Size of a list's elements or a map's values, when the size estimator knows it from the path. */
  readonly element?: Range;
  /** Entry sizes that follow from the expression itself: of literals and lists or maps made of them. */
  readonly entries?: Entries;
  /** The literal's value when the argument is one. */
  readonly literal?: Value;
}

/** The cost of a call by the sizes of its arguments: ranges before there is data, exact sizes afterwards. */
export interface CostFormula {
  /** Set when the cost is the same for every call; both sides then fold it. */
  readonly fixed?: number;
  /** The actual cost for readers of the documentation; `{0}` is the size of the first argument, `{result}` the size of the result. */
  readonly text?: string;
  /** Set when `actual` does not look at the result: the call is then charged before it is made, and not made when it cannot be paid. */
  readonly fromArguments?: boolean;
  /** The cost of the call itself, without its arguments. The receiver comes first. */
  estimate(args: readonly SizedArg[]): Estimate;
  /** `result` is a CelError when the call failed; an argument may be one too and then counts 1. */
  actual(args: readonly Value[], result: Value): number;
}
