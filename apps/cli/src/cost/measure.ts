// Costs of expressions on the objects of the inputs: each object is reviewed as `check` does, and every evaluation is
// recorded.

import { CostWatch, Measurements } from "@celadon/lint/costs";
import type { SimulatedCluster } from "@celadon/simulator";
import { requestSubject } from "../outcome/names.ts";
import type { Subject } from "../output/answer.ts";
import { reviewSubject } from "../review/ask.ts";
import type { ReviewSubject } from "../review/subjects.ts";

export interface MeasureOptions {
  readonly signal: AbortSignal;
  onProgress?(done: number, all: number): void;
}

const PAUSE_EVERY = 64;

export async function measure(
  simulated: SimulatedCluster,
  asked: readonly ReviewSubject[],
  { signal, onProgress }: MeasureOptions,
): Promise<Measurements<Subject>> {
  const measurements = new Measurements<Subject>();
  for (const [i, value] of asked.entries()) {
    const watch = new CostWatch();
    const outcome = await reviewSubject(simulated, value, {
      observer: watch,
      ruleObserver: (version) => watch.rules(version),
      certificateObserver: watch.certificates(),
    });
    watch.record(measurements, outcome, requestSubject(outcome.request));
    if (i % PAUSE_EVERY === PAUSE_EVERY - 1) {
      onProgress?.(i + 1, asked.length);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  }
  return measurements;
}
