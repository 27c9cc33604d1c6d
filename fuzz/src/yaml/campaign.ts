// A campaign: texts read here and by the reference; value or refusal must be equal.

import { Random } from "../random.ts";
import { readAs, type YamlAnswer, type YamlCase } from "./answers.ts";
import { nextCase } from "./documents.ts";
import { KNOWN } from "./known.ts";
import { askReference } from "./reference.ts";

export interface Difference {
  readonly case: YamlCase;
  readonly reference: YamlAnswer;
  readonly ours: YamlAnswer;
}

export interface YamlCampaign {
  readonly program: string;
  readonly count: number;
  readonly seed: number;
  readonly real: readonly string[];
  readonly found: (difference: Difference) => void;
  readonly progress: (cases: number) => void;
}

export interface YamlTally {
  cases: number;
  unlisted: number;
  readonly byKind: Record<string, number>;
  readonly byOutcome: Record<string, number>;
  readonly known: Record<string, number>;
}

const BATCH = 5000;

export async function runCampaign({ program, count, seed, real, found, progress }: YamlCampaign): Promise<YamlTally> {
  const random = new Random(seed);
  const tally: YamlTally = { cases: 0, unlisted: 0, byKind: {}, byOutcome: {}, known: {} };
  while (tally.cases < count) {
    const length = Math.min(BATCH, count - tally.cases);
    const cases = Array.from({ length }, () => nextCase({ real, random }));
    const references = await askReference(program, cases);
    for (const [i, given] of cases.entries()) compare(given, references[i]!, tally, found);
    progress(tally.cases);
  }
  return tally;
}

function compare(given: YamlCase, reference: YamlAnswer, tally: YamlTally, found: YamlCampaign["found"]): void {
  tally.cases++;
  add(tally.byKind, given.kind);
  add(tally.byOutcome, reference.error === undefined ? "value" : "refusal");
  const ours = readAs(given);
  if (isSame(reference, ours)) return;
  const known = KNOWN.find(({ explains }) => explains(given, reference, ours));
  if (known !== undefined) add(tally.known, known.reason);
  else {
    tally.unlisted++;
    found({ case: given, reference, ours });
  }
}

export function isSame(reference: YamlAnswer, ours: YamlAnswer): boolean {
  if ((reference.error === undefined) !== (ours.error === undefined)) return false;
  const { documents } = ours;
  return (
    documents.length === reference.documents.length && documents.every((text, i) => text === reference.documents[i])
  );
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
