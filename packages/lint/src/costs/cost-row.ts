// One expression, or all of a group together: its greatest cost, its measured cost, and their share of the limit.

import type { JsonPath } from "@celadon/base";
import type { Minor } from "@celadon/kube-cel";
import type { Manifest } from "@celadon/simulator/manifests";
import type { LintProblem } from "../problem.ts";

/** The cost of an expression or a group. `S` is how the objects it was measured on are named. */
export interface CostRow<S = unknown> {
  readonly manifest: Manifest;
  readonly path: JsonPath;
  /** `validations[0].expression`, or the name of a sum. */
  readonly what: string;
  /** Empty for a sum. */
  readonly expression: string;
  readonly estimate?: RowEstimate;
  readonly measured?: Measured<S>;
  /** The greatest cost of one evaluation, or of all together. */
  readonly limit: number;
  /** The minors that reject it, with reasons. */
  readonly refused: ReadonlyMap<Minor, string>;
  /** The API server refuses the resource because of this cost. */
  readonly tooCostly: boolean;
  readonly help?: string;
  readonly related?: NonNullable<LintProblem["related"]>;
}

/** Made before there is data. */
export interface RowEstimate {
  /** Undefined where only the largest counts. */
  readonly min?: bigint;
  readonly max: bigint;
  /** The greatest number of evaluations for one object. */
  readonly times: bigint;
  /** The cost above which the API server rejects it; undefined where it makes no estimate. */
  readonly limit?: number;
}

/** The costs counted on objects. */
export interface Measured<S = unknown> {
  readonly max: number;
  readonly median: number;
  readonly evaluations: number;
  /** The object that cost the most. */
  readonly worst: S;
}

/** The greatest cost of all evaluations for one object. */
export function estimateTotal({ max, times }: RowEstimate): bigint {
  return max * times;
}

/** Percent of the limit that is reached first: of the estimate if the API server makes one, else of the measured cost. */
export function shareOf({ estimate, measured, limit }: CostRow): number | undefined {
  const shares: number[] = [];
  if (estimate?.limit !== undefined) shares.push((Number(estimateTotal(estimate)) / estimate.limit) * 100);
  if (measured !== undefined) shares.push((measured.max / limit) * 100);
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** The largest share first; rows without one last. */
export function byShare<S>(rows: readonly CostRow<S>[]): CostRow<S>[] {
  return [...rows].sort((a, b) => (shareOf(b) ?? -1) - (shareOf(a) ?? -1));
}
