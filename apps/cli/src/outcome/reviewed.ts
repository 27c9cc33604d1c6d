// One object of the inputs and what it would get: what `check`, `explain` and `diff` work with.

import type { DataPath } from "@celadon/cel/explain";
import type { Manifest, Outcome, Problem } from "@celadon/simulator";
import type { Place } from "../output/answer.ts";
import { placeOf } from "./place.ts";

export interface Reviewed {
  readonly manifest: Manifest;
  readonly outcome: Outcome;
  /** Where failures of policies were decided, by problem, as far as that was looked into. */
  readonly blame: ReadonlyMap<Problem, DataPath>;
}

/** Where to look in the object. */
export function problemPlace({ manifest, blame }: Reviewed, problem: Problem): Place | undefined {
  const path = blame.get(problem)?.path ?? problem.path ?? [];
  return placeOf(manifest, path, problem.message.startsWith("unknown field") ? "key" : "value");
}
