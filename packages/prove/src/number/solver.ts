// Whether constraints between integers can hold together, and values for which they do. "No" is certain: variables are eliminated one after
// the other (Fourier and Motzkin), with rounding to integers. A system that is too large for elimination counts as possible.

import { type Constraint, isConstant, keyOf, type Linear, plus } from "./linear.ts";

export interface Interval {
  readonly least: bigint;
  readonly most: bigint;
}

export const INT64: Interval = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** Constraints beyond which elimination stops. */
const MOST_CONSTRAINTS = 300;

export type Ranges = ReadonlyMap<string, Interval>;

/** The ranges of variables under the constraints; undefined if these contradict each other. */
export function narrowed(ranges: Ranges, constraints: readonly Constraint[]): Map<string, Interval> | undefined {
  const left = new Map(ranges);
  return propagated(left, constraints) && canHold(left, constraints) ? left : undefined;
}

/** Narrows ranges as far as single constraints do; false when one cannot hold. */
export function propagated(ranges: Map<string, Interval>, constraints: readonly Constraint[]): boolean {
  for (let round = 0; round < 8; round++) {
    let changed = false;
    for (const constraint of constraints) {
      const outcome = narrow(ranges, constraint);
      if (outcome === "impossible") return false;
      changed ||= outcome === "changed";
    }
    if (!changed) break;
  }
  return true;
}

/** Values within the ranges for which all constraints hold; undefined when none were found, which proves nothing. */
export function valuesFor(
  ranges: Ranges,
  constraints: readonly Constraint[],
  prefer: ReadonlyMap<string, readonly bigint[]>,
): Map<string, bigint> | undefined {
  let left = narrowed(ranges, constraints);
  for (const name of ranges.keys()) {
    if (left === undefined) return undefined;
    const { least, most } = left.get(name)!;
    const fixed = choices(prefer.get(name) ?? [], least, most)
      .map((value) => narrowed(new Map(left!).set(name, { least: value, most: value }), constraints))
      .find((outcome) => outcome !== undefined);
    left = fixed;
  }
  return left && new Map([...left].map(([name, { least }]) => [name, least]));
}

function choices(preferred: readonly bigint[], least: bigint, most: bigint): bigint[] {
  const near = [0n, 1n, 2n, 3n];
  const ends = [least, least + 1n, least + 2n, most, most - 1n];
  const all = [...preferred, ...near, ...(least < -1000n ? [most, most - 1n, ...ends] : ends)];
  return [...new Set(all)].filter((value) => value >= least && value <= most);
}

type Narrowing = "impossible" | "changed" | "same";

function narrow(ranges: Map<string, Interval>, { sum, is }: Constraint): Narrowing {
  if (is === "zero") {
    const up = narrowAtLeast(ranges, sum);
    if (up === "impossible") return up;
    const down = narrowAtLeast(ranges, plus({ factors: new Map(), constant: 0n }, sum, -1n));
    return down === "same" ? up : down;
  }
  return is === "atLeastZero" ? narrowAtLeast(ranges, sum) : narrowNot(ranges, sum);
}

function narrowAtLeast(ranges: Map<string, Interval>, sum: Linear): Narrowing {
  let most = sum.constant;
  for (const [name, factor] of sum.factors) {
    const range = ranges.get(name) ?? INT64;
    most += factor * (factor > 0n ? range.most : range.least);
  }
  if (most < 0n) return "impossible";
  let changed = false;
  for (const [name, factor] of sum.factors) {
    const range = ranges.get(name) ?? INT64;
    // The others together are at most `rest`, so factor · variable is at least -rest.
    const rest = most - factor * (factor > 0n ? range.most : range.least);
    const next =
      factor > 0n
        ? { least: max(range.least, ceilDivide(-rest, factor)), most: range.most }
        : { least: range.least, most: min(range.most, floorDivide(rest, -factor)) };
    if (next.least > next.most) return "impossible";
    if (next.least === range.least && next.most === range.most) continue;
    ranges.set(name, next);
    changed = true;
  }
  return changed ? "changed" : "same";
}

function narrowNot(ranges: Map<string, Interval>, sum: Linear): Narrowing {
  if (isConstant(sum)) return sum.constant === 0n ? "impossible" : "same";
  let rest = sum.constant;
  let open: readonly [string, bigint] | undefined;
  for (const [name, factor] of sum.factors) {
    const { least, most } = ranges.get(name) ?? INT64;
    if (least === most) rest += factor * least;
    else if (open !== undefined) return "same";
    else open = [name, factor];
  }
  if (open === undefined) return rest === 0n ? "impossible" : "same";
  const [name, factor] = open;
  if (rest % factor !== 0n) return "same";
  const excluded = -rest / factor;
  const { least, most } = ranges.get(name) ?? INT64;
  if (excluded !== least && excluded !== most) return "same";
  ranges.set(name, excluded === least ? { least: least + 1n, most } : { least, most: most - 1n });
  return "changed";
}

/** Whether eliminating every variable leaves nothing that is false. */
export function canHold(ranges: Ranges, constraints: readonly Constraint[]): boolean {
  const joint = constraints.filter(({ sum, is }) => sum.factors.size > 1 && is !== "notZero");
  if (joint.length === 0) return true;
  let rows = unique([
    ...joint.flatMap(({ sum, is }) => (is === "zero" ? [sum, negated(sum)] : [sum])),
    ...[...new Set(joint.flatMap(({ sum }) => [...sum.factors.keys()]))].flatMap((name) => {
      const { least, most } = ranges.get(name) ?? INT64;
      return [
        { factors: new Map([[name, 1n]]), constant: -least },
        { factors: new Map([[name, -1n]]), constant: most },
      ];
    }),
  ]);
  for (;;) {
    if (rows.some((row) => isConstant(row) && row.constant < 0n)) return false;
    const name = rows
      .find((row) => !isConstant(row))
      ?.factors.keys()
      .next().value;
    if (name === undefined) return true;
    const above = rows.filter((row) => (row.factors.get(name) ?? 0n) > 0n);
    const below = rows.filter((row) => (row.factors.get(name) ?? 0n) < 0n);
    const others = rows.filter((row) => !row.factors.has(name));
    if (above.length * below.length + others.length > MOST_CONSTRAINTS) return true;
    rows = unique([
      ...others,
      ...above.flatMap((up) =>
        below.map((down) => {
          const a = up.factors.get(name)!;
          const b = -down.factors.get(name)!;
          return rounded(plus(plus({ factors: new Map(), constant: 0n }, up, b), down, a));
        }),
      ),
    ]);
  }
}

function negated(sum: Linear): Linear {
  return plus({ factors: new Map(), constant: 0n }, sum, -1n);
}

/** Divided by the common factor; the constant is rounded down, as integers allow. */
function rounded(sum: Linear): Linear {
  let common = 0n;
  for (const factor of sum.factors.values()) common = gcd(common, factor < 0n ? -factor : factor);
  if (common <= 1n) return sum;
  const factors = new Map([...sum.factors].map(([name, factor]) => [name, factor / common]));
  return { factors, constant: floorDivide(sum.constant, common) };
}

function unique(rows: readonly Linear[]): Linear[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

const ceilDivide = (a: bigint, b: bigint): bigint => -floorDivide(-a, b);
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
