// Chunks of cases to the reference and to both forms of the engine. An answer that differs is asked for again: the reference goes
// through maps in another order each time, numbers of type variables included, and one of its answers is enough.

import type { Env } from "@celadon/cel";
import { Random } from "../random.ts";
import { type Answer, answers, policyEnv, textOf } from "./answers.ts";
import { type Case, casesFrom } from "./cases.ts";
import { KNOWN } from "./known.ts";
import { askReference } from "./reference.ts";

export interface CampaignOptions {
  readonly program: string;
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

const CHUNK = 2000;
const AGAIN = 8;

export async function runDifferential(options: CampaignOptions): Promise<Tally> {
  const env = policyEnv();
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
  const references = await askReference(options.program, chunk);
  const doubtful: Difference[] = [];
  chunk.forEach((given, i) => {
    const reference = references[i] as Answer;
    count(tally.byKind, given.kind);
    count(tally.byOutcome, outcomeOf(reference));
    const difference = compare(given, reference, env);
    if (difference) doubtful.push(difference);
  });
  tally.cases += chunk.length;
  const settled = await askAgain(options.program, doubtful);
  for (const difference of doubtful) {
    if (settled.has(difference)) continue;
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

function compare(given: Case, reference: Answer, env: Env): Difference | undefined {
  const [interpreted, compiled] = answers(env, given);
  if (agrees(reference, interpreted) && agrees(reference, compiled)) return undefined;
  return { case: given, reference, interpreted, compiled };
}

const agrees = (reference: Answer, ours: Answer): boolean => textOf(reference) === textOf(ours);

/** Those that the reference answers as we do when it is asked a few more times. */
async function askAgain(program: string, doubtful: readonly Difference[]): Promise<ReadonlySet<Difference>> {
  const settled = new Set<Difference>();
  const open = doubtful.filter(
    ({ reference }) => reference.panic === undefined && reference.compileError === undefined,
  );
  if (open.length === 0) return settled;
  const repeated = open.flatMap((difference) => Array.from({ length: AGAIN }, () => difference));
  const repeats = await askReference(
    program,
    repeated.map((difference) => difference.case),
  );
  open.forEach((difference, i) => {
    const texts = new Set(repeats.slice(i * AGAIN, (i + 1) * AGAIN).map(textOf));
    texts.add(textOf(difference.reference));
    if (texts.has(textOf(difference.interpreted)) && texts.has(textOf(difference.compiled))) settled.add(difference);
  });
  return settled;
}

function outcomeOf({ compileError, error, panic }: Answer): string {
  if (panic !== undefined) return "panic";
  return compileError !== undefined ? "compile error" : error !== undefined ? "error" : "value";
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
