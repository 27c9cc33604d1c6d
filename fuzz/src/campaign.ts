// Inputs one after another until the time is up or one fails.

import { readCorpus, type Seed } from "./corpus.ts";
import { mutate, randomBytes } from "./mutate.ts";
import { Random } from "./random.ts";
import { shrink } from "./shrink.ts";
import { createTrial, type Failure, type Reached } from "./trial.ts";

export interface Campaign {
  readonly seed: number;
  readonly seconds: number;
  /** How many different failures to look for; 1 unless told. */
  readonly failures?: number;
  /** Told each input before it is tried, so that somebody else knows it should it never end. */
  readonly announce?: (text: string) => void;
}

export interface Found extends Failure {
  readonly text: string;
  readonly shrunk: string;
  readonly vars: Seed["vars"];
}

export interface Report {
  readonly inputs: number;
  readonly reached: Readonly<Record<Reached, number>>;
  readonly found: readonly Found[];
}

export function runCampaign({ seed, seconds, failures = 1, announce }: Campaign): Report {
  const random = new Random(seed);
  const corpus = readCorpus();
  const trial = createTrial();
  const reached: Record<Reached, number> = { syntax: 0, type: 0, error: 0, value: 0 };
  const found = new Map<string, Found>();
  const end = Date.now() + seconds * 1000;
  let inputs = 0;
  while (Date.now() < end && found.size < failures) {
    // The corpus itself first, then what comes of it.
    const { expr, vars } =
      inputs < corpus.length ? corpus[inputs]! : { ...random.pick(corpus), expr: next(random, corpus) };
    inputs++;
    announce?.(expr);
    const result = trial(expr, vars);
    if (typeof result === "string") {
      reached[result]++;
    } else if (!found.has(kindOf(result))) {
      const shrunk = shrink(trial, expr, vars, Date.now() + 5000);
      found.set(kindOf(result), { ...result, ...(trial(shrunk, vars) as Failure), text: expr, shrunk, vars });
    }
  }
  return { inputs, reached, found: [...found.values()] };
}

/** Failures that differ only in names and numbers count once. */
function kindOf({ stage, problem }: Failure): string {
  return `${stage} ${problem.replaceAll(/'.*?'|".*?"|\d+/g, "_").slice(0, 100)}`;
}

function next(random: Random, corpus: readonly Seed[]): string {
  return random.oneIn(8) ? randomBytes(random) : mutate(random, corpus);
}
