// Inputs one after another until their number is reached, the time is up or enough of them fail.

import { readCorpus, type Seed } from "./corpus.ts";
import { createFuzzEnv } from "./environment.ts";
import { Grafter } from "./graft.ts";
import { hostileData } from "./hostile.ts";
import { mutate, randomBytes } from "./mutate.ts";
import { Random } from "./random.ts";
import { shrink } from "./shrink.ts";
import { createTrial, type Failure, type Input, type Reached } from "./trial.ts";

export interface Campaign {
  readonly seed: number;
  /** The duration in seconds; without it, `inputs` says when it ends. */
  readonly seconds?: number;
  /** The greatest number of inputs. */
  readonly inputs?: number;
  /** The number of different failures to look for; 1 by default. */
  readonly failures?: number;
  /** Told each input before it is tried, so that somebody else knows it should it never end. */
  readonly announce?: (text: string) => void;
}

export interface Found extends Failure {
  readonly original: string;
  readonly input: Input;
}

export interface Report {
  readonly inputs: number;
  readonly reached: Readonly<Record<Reached, number>>;
  readonly found: readonly Found[];
}

export function runCampaign({ seed, seconds, inputs: most, failures = 1, announce }: Campaign): Report {
  const env = createFuzzEnv();
  const trial = createTrial(env);
  const reached: Record<Reached, number> = { syntax: 0, type: 0, error: 0, value: 0 };
  const found = new Map<string, Found>();
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
  let inputs = 0;
  for (const input of inputsFrom(new Random(seed), readCorpus(), (texts) => new Grafter(env, texts))) {
    inputs++;
    announce?.(input.text);
    const result = trial(input);
    if (typeof result === "string") {
      reached[result]++;
    } else if (!found.has(kindOf(result))) {
      const shrunk = shrink(trial, input, Date.now() + 5000);
      found.set(kindOf(result), { ...(trial(shrunk) as Failure), original: input.text, input: shrunk });
    }
    if (Date.now() > end || inputs === most || found.size >= failures) break;
  }
  return { inputs, reached, found: [...found.values()] };
}

/** The corpus itself first, then its mutations. */
function* inputsFrom(
  random: Random,
  corpus: readonly Seed[],
  grafter: (texts: readonly string[]) => Grafter,
): Generator<Input> {
  for (const { expr, vars } of corpus) yield { text: expr, data: vars, hostile: false };
  const grafts = grafter(corpus.map(({ expr }) => expr));
  while (true) {
    const kind = random.below(8);
    const text = kind === 0 ? randomBytes(random) : kind < 3 ? mutate(random, corpus) : grafts.next(random);
    const hostile = random.oneIn(5);
    yield { text, data: hostile ? hostileData(random) : random.pick(corpus).vars, hostile };
  }
}

/** Failures that differ only in names and numbers count once. */
function kindOf({ stage, problem }: Failure): string {
  return `${stage} ${problem.replaceAll(/'.*?'|".*?"|\d+/g, "_").slice(0, 100)}`;
}
