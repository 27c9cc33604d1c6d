// The flags of `test` for mutation testing, checked before anything runs.

import type { Args, Option } from "../command.ts";
import { UsageError } from "../exit.ts";

const SECONDS = 60;

// biome-ignore format: one option per line
export const MUTATE_OPTIONS: readonly Option[] = [
  { name: "mutate",        help: "change policies, rules and bindings one by one, and show the changes that no case notices" },
  { name: "mutate-min",    value: "PERCENT", help: "fail when fewer of the changes are noticed" },
  { name: "mutate-time",   value: "SECONDS", help: "stop trying after so long; what was not tried is told", fallback: String(SECONDS) },
  { name: "mutate-sample", value: "N", help: "try only so many changes, chosen by the seed" },
  { name: "mutate-seed",   value: "N", help: "the same seed makes the same choices", fallback: "1" },
];

export interface MutateWish {
  readonly min: number | undefined;
  readonly milliseconds: number;
  readonly sample: number | undefined;
  readonly seed: number;
}

const LARGEST = 2 ** 31 - 1;

/** Undefined when no flag asks for it; any of them does. */
export function mutateWish(args: Args): MutateWish | undefined {
  if (!MUTATE_OPTIONS.some(({ name }) => args.on(name))) return undefined;
  return {
    min: percent(args, "mutate-min"),
    milliseconds: (args.number("mutate-time", { min: 1, max: 86_400 }) ?? SECONDS) * 1000,
    sample: args.number("mutate-sample", { min: 1, max: LARGEST }),
    seed: args.number("mutate-seed", { min: 0, max: LARGEST }) ?? 1,
  };
}

function percent(args: Args, name: string): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new UsageError(`flag --${name}: "${text}" is not a percentage from 0 to 100`);
}
