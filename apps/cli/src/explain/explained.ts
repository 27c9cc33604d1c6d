// One subject of `explain`: the object with its files, and why it gets what it gets.

import { explainOutcome, type Manifest, type OutcomeExplanation, type World } from "@celadon/simulator";
import { ask } from "../check/check-all.ts";
import type { Asked } from "../check/subjects.ts";

export interface ExplainedSubject extends OutcomeExplanation {
  readonly manifest: Manifest;
  readonly old?: Manifest;
}

export async function explainSubject(
  world: World,
  asked: Asked,
  old: Manifest | undefined,
  only: ReadonlySet<string> | undefined,
): Promise<ExplainedSubject> {
  const outcome = await ask(world, asked, { everyPolicy: true });
  const explanation = await explainOutcome(world, outcome, only);
  return { ...explanation, manifest: asked.manifest, ...(old && { old }) };
}
