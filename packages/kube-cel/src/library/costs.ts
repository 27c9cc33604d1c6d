// The charges of Kubernetes for library calls: formulas for the rows of the tables. Upstream: apiserver pkg/cel/library/cost.go. Upstream's
// estimator switches on the function name, so a formula holds for all overloads of a name, also when several fit (libraries say `costBy:
// "function"`). Sizes are computed late, as upstream does.

import { utf8Length } from "@celadon/base";
import type { Value } from "@celadon/cel";
import {
  add,
  type CostFormula,
  costs,
  exactly,
  lateSizeOf,
  MAX,
  multiply,
  ONE,
  ownSize,
  PATTERN,
  type Range,
  type SizedArg,
  scale,
  TRAVERSAL,
  UNKNOWN,
  withSize,
} from "@celadon/cel/cost";
import { isInt, isList, isMap, type List, listGet, listSize, mapFind, mapKeys, work } from "@celadon/cel/values";

/** ⌈0.1 · times · size⌉: walks over one argument. */
export function scan(arg: number, times = 1): CostFormula {
  const factor = TRAVERSAL * times;
  return costs({
    text: `⌈${TRAVERSAL * times} · {${arg}}⌉`,
    estimate: (args) => ({ cost: scale(lateSizeOf(args, arg), factor) }),
    fromArguments: true,
    actual: (args) => Math.ceil(ownSize(args[arg]) * factor),
  });
}

/** The same, with a result as large as the argument. */
export function scanSame(arg: number): CostFormula {
  return withSize(scan(arg), (args) => lateSizeOf(args, arg));
}

/**
 * `isSorted`, `sum`, `min`, `indexOf` and their kin: one walk over the whole receiver. A receiver without element type is treated as a
 * string, which has `indexOf` too. The estimate rounds up and counts code points, the charge rounds down and counts bytes.
 */
export const walk: CostFormula = costs({
  text: `sum over all that the receiver holds: ⌊${TRAVERSAL} · bytes⌋ for text and bytes, else 1`,
  estimate: (args) => {
    const size = lateSizeOf(args, 0);
    const element = args[0]?.type.params[0];
    if (element === undefined) return { cost: scale(size, TRAVERSAL) };
    const isText = element.kind === "string" || element.kind === "bytes";
    const each = isText ? add(ONE, scale(args[0]?.element ?? UNKNOWN, TRAVERSAL)) : ONE;
    return { cost: multiply(size, each) };
  },
  fromArguments: true,
  actual: (args) => walkCost(args[0], new Map()),
});

/** `includes` with a receiver of any type: estimated as a list of that size whose elements cost 1. */
export const walkAny: CostFormula = costs({
  ...walk,
  estimate: (args) =>
    args[0]?.type.params[0] === undefined ? { cost: scale(lateSizeOf(args, 0), 1) } : walk.estimate(args),
});

const STEPS_PER_PART = 2;

/** Lists and maps that are part of others many times are walked over once. */
function walkCost(value: Value, known: Map<object, number>): number {
  work(STEPS_PER_PART);
  if (typeof value === "string") return Math.floor(utf8Length(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (typeof value !== "object" || value === null) return 1;
  const found = known.get(value);
  if (found !== undefined) return found;
  let cost = 0;
  if (isList(value)) {
    const list = value as List;
    for (let i = 0, size = listSize(list); i < size; i++) cost += walkCost(listGet(list, i), known);
  } else if (isMap(value)) {
    for (const key of mapKeys(value)) cost += walkCost(key, known) + walkCost(mapFind(value, key), known);
  } else return 1;
  known.set(value, cost);
  return cost;
}

/** ⌈0.1 · (text + 1)⌉ · ⌈0.25 · pattern⌉; at worst every character is a result. */
export const search: CostFormula = costs({
  text: `⌈${TRAVERSAL} · (1 + {0})⌉ · ⌈${PATTERN} · {1}⌉`,
  estimate: (args) => {
    const text = lateSizeOf(args, 0);
    const cost = multiply(scale(add(text, ONE), TRAVERSAL), scale(lateSizeOf(args, 1), PATTERN));
    return { cost, size: { min: 0n, max: text.max } };
  },
  fromArguments: true,
  actual: (args) => patternCost(ownSize(args[0]), ownSize(args[1])),
});

/** The cost of matching a text against a pattern, by their sizes. */
export function patternCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * TRAVERSAL) * Math.ceil(pattern * PATTERN);
}

/** Walking over the text and making the result. */
export const replacing: CostFormula = withSize(scan(0, 2), (args) => {
  const [text, old, fresh] = [lateSizeOf(args, 0), lateSizeOf(args, 1), lateSizeOf(args, 2)];
  return {
    min: sizeReplaced(text.min, old.max, fresh.min, old.max <= fresh.min),
    max: sizeReplaced(text.max, old.min, fresh.max, fresh.max <= old.min),
  };
});

/**
 * One bound of the size of a text after a replacement: around every character if the empty text is replaced by something, the text itself
 * if replacing cannot move the bound, else as many replacements as fit.
 */
function sizeReplaced(text: bigint, old: bigint, fresh: bigint, isUnmoved: boolean): bigint {
  if (old === 0n) return add(multiply(exactly(text + 1n), exactly(fresh)), exactly(text)).max;
  return isUnmoved ? text : multiply(exactly(divideUp(text, old)), exactly(fresh)).max;
}

/** In doubles, as upstream. */
function divideUp(a: bigint, b: bigint): bigint {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? MAX : BigInt(quotient);
}

/** At most a part for every character, or as many as a literal limit says. */
export const splitting: CostFormula = withSize(scan(0, 2), (args) => {
  const limit = args[2]?.literal;
  return { min: 0n, max: isInt(limit) ? BigInt.asUintN(64, BigInt(limit)) : lateSizeOf(args, 0).max };
});

/** All elements and the separators between them. The charge is twice the estimate's factor, on the result. */
export const joining: CostFormula = costs({
  text: `⌈${2 * TRAVERSAL} · {result}⌉`,
  estimate: (args) => {
    const size = joinedSize(args);
    return { cost: scale(size, TRAVERSAL), size };
  },
  actual: (_args, result) => Math.ceil(ownSize(result) * 2 * TRAVERSAL),
});

function joinedSize(args: readonly SizedArg[]): Range {
  const list = lateSizeOf(args, 0);
  const elements = args[0]?.type.params[0] === undefined ? exactly(0) : multiply(list, args[0]?.element ?? UNKNOWN);
  if (args.length < 2) return elements;
  const between = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
  return add(elements, multiply(lateSizeOf(args, 1), between));
}
