// Constructors of cost formulas, for the rows of function libraries. Argument 0 is the receiver of a method. A formula says once what
// static estimate and run-time tracking both charge; `costs` is for rows whose estimate and actual cost differ.

import { costSize } from "../value/size/size.ts";
import type { Value } from "../value/value.ts";
import { uniteEntries } from "./entries.ts";
import type { CostFormula, Estimate, Range, SizedArg } from "./formula.ts";
import { add, exactly, lesser, multiply, ONE, scale, UNKNOWN, wrap } from "./range.ts";

/** Cost of walking over one unit of a string, of bytes, or of a value that is compared. */
export const TRAVERSAL = 0.1;
/** Cost per character of a regular expression: about four characters make one state. */
export const PATTERN = 0.25;
/** The cost of making a list of any length. */
export const LIST_BASE = 10;
/** The cost of making a map of any size. */
export const MAP_BASE = 30;
/** The cost of making a message with any number of fields. */
export const STRUCT_BASE = 40;

/** The same for every call. Most functions are `fixed(1)`. */
export function fixed(cost: number): CostFormula {
  const estimate: Estimate = { cost: exactly(cost) };
  return { fixed: cost, text: String(cost), estimate: () => estimate, actual: () => cost };
}

/** ⌈0.1 · times · size⌉: walks over one argument, `times` over. */
export function scan(arg: number, times = 1): CostFormula {
  const factor = TRAVERSAL * times;
  return {
    text: `⌈${Number(factor.toFixed(6))} · {${arg}}⌉`,
    estimate: (args) => ({ cost: scale(sizeOf(args, arg), factor) }),
    fromArguments: true,
    actual: (args) => Math.ceil(costSize(args[arg]) * factor),
  };
}

/** ⌈0.1 · Σ sizes⌉ and a result as large as all arguments together: concatenation of text. */
export function scanSum(...operands: readonly number[]): CostFormula {
  return {
    text: `⌈${TRAVERSAL} · (${operands.map((i) => `{${i}}`).join(" + ")})⌉`,
    estimate: (args) => ({
      cost: scale(totalSize(args, operands), TRAVERSAL),
      size: totalSize(args, operands),
      ...joinedEntries(args),
    }),
    fromArguments: true,
    actual: (args) => Math.ceil(operands.reduce((total, i) => total + costSize(args[i]), 0) * TRAVERSAL),
  };
}

/** Cost 1 and a result as large as both arguments together: concatenation of lists, which shares its operands. */
export const concatenation: CostFormula = {
  text: "1",
  estimate: (args) => ({ cost: ONE, size: totalSize(args, [0, 1]), ...joinedEntries(args) }),
  fromArguments: true,
  actual: () => 1,
};

/** ⌈0.1 · lesser size⌉: equality and ordering, which end with the shorter operand. */
export function scanLesser(a = 0, b = 1): CostFormula {
  return {
    text: `⌈${TRAVERSAL} · min({${a}}, {${b}})⌉`,
    estimate: (args) => {
      const max = lesser(sizeOf(args, a).max, sizeOf(args, b).max);
      return { cost: scale({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL) };
    },
    fromArguments: true,
    actual: (args) => Math.ceil(Math.min(costSize(args[a]), costSize(args[b])) * TRAVERSAL),
  };
}

/** ⌈0.1 · text⌉ · ⌈0.1 · searched⌉: looking for one text inside another. */
export function containment(text = 0, searched = 1): CostFormula {
  return {
    text: `⌈${TRAVERSAL} · {${text}}⌉ · ⌈${TRAVERSAL} · {${searched}}⌉`,
    estimate: (args) => ({
      cost: multiply(scale(sizeOf(args, text), TRAVERSAL), scale(sizeOf(args, searched), TRAVERSAL)),
    }),
    fromArguments: true,
    actual: (args) => Math.ceil(costSize(args[text]) * TRAVERSAL) * Math.ceil(costSize(args[searched]) * TRAVERSAL),
  };
}

/** ⌈0.1 · (text + 1)⌉ · ⌈0.25 · pattern⌉: an expensive pattern costs something on empty text too. */
export function regexSearch(text = 0, pattern = 1): CostFormula {
  return {
    text: `⌈${TRAVERSAL} · (1 + {${text}})⌉ · ⌈${PATTERN} · {${pattern}}⌉`,
    estimate: (args) => ({
      cost: multiply(scale(add(sizeOf(args, text), ONE), TRAVERSAL), scale(sizeOf(args, pattern), PATTERN)),
    }),
    fromArguments: true,
    actual: (args) => Math.ceil((1 + costSize(args[text])) * TRAVERSAL) * Math.ceil(costSize(args[pattern]) * PATTERN),
  };
}

/** One per element: `in` a list. */
export function elements(list: number): CostFormula {
  return {
    text: `{${list}}`,
    estimate: (args) => ({ cost: scale(sizeOf(args, list), 1) }),
    fromArguments: true,
    actual: (args) => costSize(args[list]),
  };
}

/** `startsWith`, `endsWith`: by the size of the text to find. */
export const affix: CostFormula = scan(1);

/** The same before cel-go 0.29, which estimated by the argument and charged by the receiver. */
export const affixByReceiver: CostFormula = costs({ ...scan(0), estimate: scan(1).estimate });

/** `bytes(string)`: a character becomes up to four bytes. Upstream's bound wraps around instead of saturating. */
export const stringToBytes: CostFormula = withSize(scan(0), ([text]) => {
  const size = text?.size ?? UNKNOWN;
  return { min: size.min, max: wrap(size.max * 4n) };
});

/** `string(bytes)`: up to four bytes become one character. */
export const bytesToString: CostFormula = withSize(scan(0), ([bytes]) => {
  const size = bytes?.size ?? UNKNOWN;
  return { min: size.min / 4n, max: size.max };
});

/** `strings.quote`: two quotes, and every character possibly escaped. Bounds wrap around as for `stringToBytes`. */
export const quoting: CostFormula = withSize(scan(0), ([text]) => {
  const size = text?.size ?? UNKNOWN;
  return { min: wrap(size.min + 2n), max: wrap(size.max * 2n + 2n) };
});

/** For functions whose estimate and actual cost have different formulas. */
export function costs(sides: {
  /** See `CostFormula.text`. */
  readonly text?: string;
  estimate(args: readonly SizedArg[]): Estimate;
  actual(args: readonly Value[], result: Value): number;
  /** See `CostFormula.fromArguments`. */
  readonly fromArguments?: boolean;
}): CostFormula {
  const { text, estimate, actual, fromArguments = false } = sides;
  return { ...(text !== undefined && { text }), estimate, actual, fromArguments };
}

/** The same formula, with a result whose size is known from the arguments. */
export function withSize(formula: CostFormula, size: (args: readonly SizedArg[]) => Range | undefined): CostFormula {
  return {
    ...formula,
    estimate: (args) => {
      const known = size(args);
      return known === undefined ? formula.estimate(args) : { ...formula.estimate(args), size: known };
    },
  };
}

/** The size of an argument, [0..MAX] when it is unknown or absent. */
export function sizeOf(args: readonly SizedArg[], index: number): Range {
  return args[index]?.size ?? UNKNOWN;
}

/** The same as formulas of extension libraries see it (see `SizedArg.lateSize`). */
export function lateSizeOf(args: readonly SizedArg[], index: number): Range {
  return args[index]?.lateSize ?? sizeOf(args, index);
}

function totalSize(args: readonly SizedArg[], operands: readonly number[]): Range {
  return operands.map((i) => sizeOf(args, i)).reduce(add);
}

function joinedEntries(args: readonly SizedArg[]): Pick<Estimate, "entries"> {
  const entries = uniteEntries(args[0]?.entries, args[1]?.entries);
  return entries === undefined ? {} : { entries };
}
