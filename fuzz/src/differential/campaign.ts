// Chunks of cases to the reference and to both forms of the engine, at the same time. A differing result is requested again: the
// reference goes through maps in another order each time, numbers of type variables included, and one of its answers is enough.

import type { Env } from "@celadon/cel";
import type { Minor } from "@celadon/kube/versions";
import { Random } from "../random.ts";
import { type Answer, answers, policyEnv, textOf } from "./answers.ts";
import { type Case, casesFrom } from "./cases.ts";
import { KNOWN } from "./known.ts";
import { askReference } from "./reference.ts";

export interface CampaignOptions {
  readonly program: string;
  /** The minor of Kubernetes that the reference is built with; the newest when absent. */
  readonly minor?: Minor;
  readonly count: number;
  readonly seed: number;
  readonly real: readonly string[];
  readonly found: (difference: Difference) => void;
  readonly progress?: (done: Tally) => void;
}

export interface Difference {
  readonly case: Case;
  readonly reference: Answer;
  readonly interpreted: Answer;
  readonly compiled: Answer;
}

export interface Tally {
  cases: number;
  unlisted: number;
  readonly byKind: Record<string, number>;
  readonly byOutcome: Record<string, number>;
  readonly known: Record<string, number>;
}

const CHUNK = 4000;
/** Cases after which the reference's answers are taken from the pipe. */
const TURN = 50;
const AGAIN = 8;
const UNSTEADY = "the reference goes through a map in another order each time, and answers differently each time";

export async function runDifferential(options: CampaignOptions): Promise<Tally> {
  const env = policyEnv(options.minor);
  const cases = casesFrom(new Random(options.seed), env, options.real);
  const tally: Tally = { cases: 0, unlisted: 0, byKind: {}, byOutcome: {}, known: {} };
  while (tally.cases < options.count) {
    const chunk = Array.from(
      { length: Math.min(CHUNK, options.count - tally.cases) },
      () => cases.next().value as Case,
    );
    await compareChunk(chunk, env, options, tally);
    options.progress?.(tally);
  }
  return tally;
}

async function compareChunk(chunk: readonly Case[], env: Env, options: CampaignOptions, tally: Tally): Promise<void> {
  const asked = askReference(options.program, chunk);
  const ours = await answerAll(chunk, env);
  const references = await asked;
  const doubtful: Difference[] = [];
  chunk.forEach((given, i) => {
    const reference = references[i] as Answer;
    const [interpreted, compiled] = ours[i] as Answers;
    count(tally.byKind, given.kind);
    count(tally.byOutcome, outcomeOf(reference));
    if (agrees(reference, interpreted) && agrees(reference, compiled)) return;
    doubtful.push({ case: given, reference, interpreted, compiled });
  });
  tally.cases += chunk.length;
  const repeated = await askAgain(options.program, doubtful);
  for (const difference of doubtful) {
    const texts = repeated.get(difference);
    if (texts?.has(textOf(difference.interpreted)) && texts.has(textOf(difference.compiled))) continue;
    if (texts !== undefined && texts.size > 1) {
      count(tally.known, UNSTEADY);
      continue;
    }
    const known = KNOWN.find(({ explains }) =>
      [difference.interpreted, difference.compiled].every(
        (ours) => agrees(difference.reference, ours) || explains(difference.case, difference.reference, ours),
      ),
    );
    if (known) {
      count(tally.known, known.reason);
    } else {
      tally.unlisted++;
      options.found(difference);
    }
  }
}

type Answers = ReturnType<typeof answers>;

async function answerAll(chunk: readonly Case[], env: Env): Promise<readonly Answers[]> {
  const given: Answers[] = [];
  for (const [i, testCase] of chunk.entries()) {
    given.push(answers(env, testCase));
    if (i % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return given;
}

const agrees = (reference: Answer, ours: Answer): boolean => textOf(reference) === textOf(ours);

/** All answers that the reference gives to a case. */
async function askAgain(
  program: string,
  doubtful: readonly Difference[],
): Promise<ReadonlyMap<Difference, ReadonlySet<string>>> {
  const open = doubtful.filter(({ reference }) => reference.panic === undefined);
  const repeats = await askReference(
    program,
    open.flatMap((difference) => Array.from({ length: AGAIN }, () => difference.case)),
  );
  return new Map(
    open.map((difference, i) => {
      const again = repeats.slice(i * AGAIN, (i + 1) * AGAIN);
      return [difference, new Set([difference.reference, ...again].map(textOf))];
    }),
  );
}

function outcomeOf({ compileError, error, panic }: Answer): string {
  if (panic !== undefined) return "panic";
  return compileError !== undefined ? "compile error" : error !== undefined ? "error" : "value";
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
