// The flags of `test` for mutation testing, checked before anything runs.

import { percent } from "../args/percent.ts";
import type { ArgsOf, Option } from "../program/command.ts";

const SECONDS = 60;

// biome-ignore format: one option per line
export const MUTATE_OPTIONS = [
  { name: "mutate",        help: "mutation testing: change policies, rules and bindings one at a time, and report changes that no case detects" },
  { name: "mutate-min",    value: "PERCENT", help: "fail if cases detect less than this share of the changes" },
  { name: "mutate-time",   value: "SECONDS", help: "time limit; changes not tried by then are reported as not run", fallback: String(SECONDS) },
  { name: "mutate-sample", value: "N", help: "try at most this many changes, chosen at random by --mutate-seed" },
  { name: "mutate-seed",   value: "N", help: "seed for --mutate-sample", fallback: "1" },
  { name: "mutate-threads", value: "N", help: "number of threads, at most 8; chosen by the amount of work by default" },
] as const satisfies readonly Option[];

export interface MutateSettings {
  readonly min: number | undefined;
  readonly milliseconds: number;
  readonly sample: number | undefined;
  readonly seed: number;
  readonly threads: number | undefined;
}

const LARGEST = 2 ** 31 - 1;
export const MOST_THREADS = 8;

/** Undefined unless a flag requests it; any of them does. */
export function mutateSettings(args: ArgsOf<typeof MUTATE_OPTIONS>): MutateSettings | undefined {
  if (!MUTATE_OPTIONS.some(({ name }) => args.on(name))) return undefined;
  return {
    min: percent(args, "mutate-min"),
    milliseconds: (args.number("mutate-time", { min: 1, max: 86_400 }) ?? SECONDS) * 1000,
    sample: args.number("mutate-sample", { min: 1, max: LARGEST }),
    seed: args.number("mutate-seed", { min: 0, max: LARGEST }) ?? 1,
    threads: args.number("mutate-threads", { min: 1, max: MOST_THREADS }),
  };
}
