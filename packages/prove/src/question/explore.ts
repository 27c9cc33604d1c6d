// Runs an evaluation through all of its paths, or as many as time allows, and hands each possible one to the caller.

import { Choices, GaveUp, INFEASIBLE } from "../path/choices.ts";
import { Path } from "../path/path.ts";

/** Bounds of one question; beyond, the answer is unknown. */
export interface SearchLimits {
  /** Paths of one question. */
  readonly paths: number;
  /** Milliseconds of one question. */
  readonly time: number;
}

/** A second, and far more paths than fit into it for most policies. */
export const DEFAULT_LIMITS: SearchLimits = { paths: 20_000, time: 1000 };

/** The gaps on the way; none if every path was followed to its end. */
export interface Exploring {
  readonly unknown: ReadonlySet<string>;
  readonly paths: number;
}

/** The goal of a search among the paths of an evaluation. */
export interface Search<T> {
  /** The result of a path. */
  readonly run: (path: Path) => T;
  /** Whether it is a goal. Feasibility is only checked for goals. */
  readonly wanted: (result: T) => boolean;
  /** Told of each path that is wanted and can happen; true ends the search. */
  readonly visit: (path: Path, result: T) => boolean | Promise<boolean>;
}

/** The part of an `AbortSignal` that a search needs. */
export interface Abortable {
  throwIfAborted(): void;
}

/** The surroundings of a search. */
export interface SearchHost {
  readonly clock: () => number;
  readonly signal?: Abortable;
  readonly pause?: () => Promise<void>;
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 20;

/** Follows every path. */
export async function explore<T>(
  search: Search<T>,
  limits: SearchLimits,
  { clock, signal, pause }: SearchHost,
): Promise<Exploring> {
  const end = clock() + limits.time;
  let next = clock() + PAUSE_EVERY;
  const unknown = new Set<string>();
  let paths = 0;
  let stopped = false;
  for (let prescribed: readonly number[] | undefined = []; prescribed !== undefined && !stopped; ) {
    const now = clock();
    if (paths++ >= limits.paths || now > end) {
      unknown.add(OUT_OF_TIME);
      break;
    }
    signal?.throwIfAborted();
    if (pause !== undefined && now > next) {
      await pause();
      next = clock() + PAUSE_EVERY;
    }
    const choices = new Choices(prescribed);
    const path = new Path(choices);
    try {
      const result = search.run(path);
      if (search.wanted(result)) {
        path.settle();
        stopped = await search.visit(path, result);
      }
    } catch (error) {
      if (error instanceof GaveUp) unknown.add(error.message);
      else if (error !== INFEASIBLE) throw error;
    }
    prescribed = choices.next();
  }
  return { unknown, paths };
}

/** The reason of an answer that was not found in time. */
export const OUT_OF_TIME = "the time for one question ran out";
