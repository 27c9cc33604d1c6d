// One subject of `explain`: the object with its files, and the reasons for its answer.

import type { SimulatedCluster } from "@celadon/simulator";
import { explainOutcome, type OutcomeExplanation } from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import { reviewSubject } from "../review/ask.ts";
import type { ReviewSubject } from "../review/subjects.ts";

export interface ExplainedSubject extends OutcomeExplanation {
  readonly manifest: Manifest;
  readonly old?: Manifest;
}

export async function explainSubject(
  simulated: SimulatedCluster,
  asked: ReviewSubject,
  old: Manifest | undefined,
  only: ReadonlySet<string> | undefined,
): Promise<ExplainedSubject> {
  const outcome = await reviewSubject(simulated, asked, { everyPolicy: true });
  const explanation = await explainOutcome(simulated, outcome, only);
  return { ...explanation, manifest: asked.manifest, ...(old && { old }) };
}
