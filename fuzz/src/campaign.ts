// Inputs one after another until the time is up or one fails.

import { readCorpus, type Seed } from "./corpus.ts";
import { mutate, randomBytes } from "./mutate.ts";
import { Random } from "./random.ts";
import { shrink } from "./shrink.ts";
import { createTrial, type Failure, type Reached } from "./trial.ts";

export interface Campaign {
  readonly seed: number;
  readonly seconds: number;
  /** Told each input before it is tried, so that somebody else knows it should it never end. */
  readonly announce?: (text: string) => void;
}

export interface Report {
  readonly inputs: number;
  readonly reached: Readonly<Record<Reached, number>>;
  readonly found?: Failure & { readonly text: string; readonly shrunk: string; readonly vars: Seed["vars"] };
}

export function runCampaign({ seed, seconds, announce }: Campaign): Report {
  const random = new Random(seed);
  const corpus = readCorpus();
  const trial = createTrial();
  const reached: Record<Reached, number> = { syntax: 0, type: 0, error: 0, value: 0 };
  const end = Date.now() + seconds * 1000;
  let inputs = 0;
  // The corpus itself first, then what comes of it.
  while (Date.now() < end) {
    const { expr, vars } =
      inputs < corpus.length ? corpus[inputs]! : { ...random.pick(corpus), expr: next(random, corpus) };
    inputs++;
    announce?.(expr);
    const result = trial(expr, vars);
    if (typeof result === "string") {
      reached[result]++;
      continue;
    }
    const shrunk = shrink(trial, expr, vars, Date.now() + 10_000);
    return { inputs, reached, found: { ...result, ...(trial(shrunk, vars) as Failure), text: expr, shrunk, vars } };
  }
  return { inputs, reached };
}

function next(random: Random, corpus: readonly Seed[]): string {
  return random.oneIn(8) ? randomBytes(random) : mutate(random, corpus);
}
