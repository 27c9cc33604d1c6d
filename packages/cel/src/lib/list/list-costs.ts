// The costs of the lists library from version 3 on: a call, a new list, and so much per element. Earlier versions count 1.

import type { CostFormula, Estimate, Range, SizedArg } from "../../cost/formula.ts";
import { costs, LIST_BASE, lateSizeOf } from "../../cost/formulas.ts";
import { add, exactly, MAX, multiply, scale, wrap } from "../../cost/range.ts";
import { isInt, isList } from "../../value/box.ts";
import { listGet } from "../../value/collection/list.ts";
import { isError } from "../../value/error.ts";
import { ownSize } from "../../value/size/size.ts";
import type { Kind } from "../../value/type.ts";
import { goTypeName, typeOf } from "../../value/type-of.ts";
import type { Value } from "../../value/value.ts";

const BASE = 1 + LIST_BASE;
const COMPARED = 2;
const COMPARED_TEXT = 2.1;

/** A new list of `size` elements that each cost `factor`. */
function estimated(size: Range, factor: number): Estimate {
  return { cost: add(scale(size, factor), exactly(BASE)), size };
}
const charged = (size: number, factor: number): number => Math.trunc(size * factor) + BASE;

/** The value of an int literal as upstream reads it: negative ones count 0. */
function literalInt(arg: SizedArg | undefined, otherwise: bigint): bigint {
  const value = arg?.literal;
  if (!isInt(value)) return otherwise;
  return value < 0 ? 0n : BigInt(value);
}

export const sliceCost: CostFormula = costs({
  text: `${BASE} + {result}`,
  estimate: (args) => {
    const start = literalInt(args[1], 0n);
    const end = literalInt(args[2], lateSizeOf(args, 0).max);
    // Upstream subtracts unsigned: a slice that starts after its end has an enormous size.
    return estimated(exactly(wrap(end - start)), 1);
  },
  actual: (_args, result) => charged(ownSize(result), 1),
});

export const rangeCost: CostFormula = costs({
  text: `${BASE} + {result}`,
  estimate: (args) => estimated(exactly(literalInt(args[0], MAX)), 1),
  actual: (_args, result) => charged(ownSize(result), 1),
});

export const rangeCostBefore29: CostFormula = costs({
  ...rangeCost,
  // By the argument when there is no result: a range too large to make has its price.
  actual: (args, result) => charged(isError(result) && isInt(args[0]) ? Number(args[0]) : ownSize(result), 1),
});

export const reverseCost: CostFormula = costs({
  text: `${BASE} + {result}`,
  estimate: (args) => estimated(lateSizeOf(args, 0), 1),
  actual: (_args, result) => charged(ownSize(result), 1),
});

/** By the outer list alone, once per level that is opened. */
export const flattenCost: CostFormula = costs({
  text: `${BASE} + {0} · depth`,
  estimate: (args) => estimated(lateSizeOf(args, 0), args.length < 2 ? 1 : Number(literalInt(args[1], MAX))),
  fromArguments: true,
  actual: (args) => {
    const depth = depthOf(args);
    // A negative depth is an error that costs as much as one level.
    return charged(ownSize(args[0]), depth < 0 ? 1 : depth);
  },
});

export const flattenCostBefore29: CostFormula = costs({
  ...flattenCost,
  actual: (args) => asUint64(charged(ownSize(args[0]), depthOf(args))),
});

function depthOf(args: readonly Value[]): number {
  if (args.length < 2) return 1;
  return isInt(args[1]) ? Number(args[1]) : panic(`ref.Val is ${goTypeName(args[1])}, not types.Int`);
}

/** Before cel-go 0.29 a negative depth was converted to unsigned and charged; values out of range become 2^63, as in Go. */
function asUint64(cost: number): number {
  if (cost < -(2 ** 63) || cost >= 2 ** 64) return 2 ** 63;
  return cost < 0 ? 2 ** 64 + cost : cost;
}

/** Every element with every element. Upstream estimates the result to be as large as the work. */
const comparing = (arg: number, factor: number): CostFormula =>
  costs({
    text: `${BASE} + ⌊${factor} · {${arg}}²⌋`,
    estimate: (args) => estimated(multiply(lateSizeOf(args, arg), lateSizeOf(args, arg)), factor),
    fromArguments: true,
    actual: (args) => {
      const list = args[arg];
      if (!isList(list))
        return panic(`${goTypeName(list)} is not traits.Lister: missing method ${missingMethod(list)}`);
      const size = ownSize(list);
      return charged(size * size, size > 0 && isText(listGet(list, 0)) ? COMPARED_TEXT : COMPARED);
    },
  });

/** The reference's cost tracker trusts the type checker here: a value that is no list ends the evaluation, even an error. */
function panic(conversion: string): never {
  throw new Error(`interface conversion: ${conversion}`);
}

const ADDERS: readonly Kind[] = ["bytes", "double", "duration", "int", "string", "timestamp", "uint"];
const missingMethod = (value: Value): string => (ADDERS.includes(typeOf(value).kind) ? "Contains" : "Add");

const isText = (value: Value): boolean => typeof value === "string" || value instanceof Uint8Array;

/** Estimated without regard to the element type, charged with it. */
export const distinctCost: CostFormula = comparing(0, COMPARED);
export const sortCost = (text: boolean): CostFormula => comparing(0, text ? COMPARED_TEXT : COMPARED);
/** The keys are compared, not the elements. */
export const sortByCost = (text: boolean): CostFormula => comparing(1, text ? COMPARED_TEXT : COMPARED);
