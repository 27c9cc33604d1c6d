// CPU time of a piece of work: warmed up, repeated until a sample is long enough to trust, sampled several times.
// CPU time, not wall time, so that what else the machine does matters little; garbage collection and the JIT's threads count.

export interface Effort {
  /** Milliseconds of CPU before sampling starts, at least. */
  readonly warmup: number;
  /** Milliseconds of CPU that one sample takes. */
  readonly sample: number;
  readonly samples: number;
  /** Processes per engine and case. */
  readonly processes: number;
}

export const FULL: Effort = { warmup: 400, sample: 60, samples: 5, processes: 3 };
export const QUICK: Effort = { warmup: 200, sample: 30, samples: 3, processes: 1 };

/**
 * Nanoseconds of CPU per call, one number per sample. `rounds(n)` goes n times through all `calls` inputs, so that a slow
 * engine is measured on the same mixture as a fast one, and answers something, so that it is not optimised away.
 */
export function nanosPerCall(rounds: (n: number) => unknown, calls: number, effort: Effort): number[] {
  let n = 1;
  let total = 0;
  let spent = 0;
  let before = 0;
  // Warm when two runs of one length agree, or when that has had four times its time.
  do {
    before = spent;
    spent = cpuMs(() => rounds(n));
    total += spent;
    if (spent < effort.sample / 2) {
      n *= 2;
      spent = 0;
    }
  } while (
    total < effort.warmup ||
    (Math.abs(spent - before) > spent / 10 && total < 4 * effort.warmup) ||
    spent === 0
  );
  n = Math.max(1, Math.round((n * effort.sample) / Math.max(spent, 0.001)));
  return Array.from({ length: effort.samples }, () => (cpuMs(() => rounds(n)) * 1e6) / (n * calls));
}

let sink: unknown;

/** CPU milliseconds of this process, all threads, while `work` runs. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  sink = work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Only so that no engine may conclude that results are unused. */
export const lastResult = (): unknown => sink;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Half the distance between the quartiles, relative to the median: 0.03 reads "± 3%". */
export function spread(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number): number => sorted[Math.round(q * (sorted.length - 1))]!;
  return (at(0.75) - at(0.25)) / 2 / median(values);
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
