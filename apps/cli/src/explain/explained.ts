// One subject of `explain`: the object with its files, and why it gets what it gets.

import type { World } from "@celadon/simulator";
import { explainOutcome, type OutcomeExplanation } from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import { ask } from "../review/ask.ts";
import type { Asked } from "../review/subjects.ts";

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
