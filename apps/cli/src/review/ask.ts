// Reviews one subject in a simulated cluster.

import type { Outcome, SimulatedCluster } from "@celadon/simulator";
import type { ReviewSubject } from "./subjects.ts";

export function reviewSubject(
  simulated: SimulatedCluster,
  asked: ReviewSubject,
  options: Parameters<SimulatedCluster["review"]>[1] = {},
): Promise<Outcome> {
  return "ask" in asked ? simulated.review(asked.ask, options) : simulated.reviewRequest(asked.request, options);
}
