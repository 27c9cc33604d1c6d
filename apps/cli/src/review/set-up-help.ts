// Advice for a policy, webhook or definition that the API server rejects: what `lint` would say, next to the API server's message.

import type { Outcome, Problem, SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";

/** The outcome of writing a set-up resource, with help where there is any, each once. Loads the linter only for resources with errors. */
export async function withSetUpHelp(
  simulated: SimulatedCluster,
  manifest: Manifest,
  outcome: Outcome,
): Promise<Outcome> {
  if (!outcome.problems.some(isError)) return outcome;
  const accepted = simulated.accepted(manifest.object);
  if (accepted === undefined) return outcome;
  const { errorHelp, Vocabulary } = await import("@celadon/lint");
  const vocabulary = new Vocabulary();
  const given = new Set<string>();
  const problems = outcome.problems.map((problem) => {
    const { fieldError, help } = problem;
    const found = fieldError && help === undefined && errorHelp(fieldError, manifest, accepted, vocabulary);
    if (!found || given.has(found)) return problem;
    given.add(found);
    return { ...problem, help: found };
  });
  return { ...outcome, problems };
}

const isError = ({ fieldError, help }: Problem): boolean => fieldError !== undefined && help === undefined;
