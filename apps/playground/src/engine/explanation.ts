// The reasons for an answer, loaded after the first answer: lines for the page, and the deciding part.

import type { Outcome, SimulatedCluster } from "@celadon/simulator";
import { blameOf, explainOutcome, type OutcomeExplanation, variableTrees } from "@celadon/simulator/explain";
import type { Explanation, Spot } from "../model/answer.ts";
import { explanationLines } from "./explain-view.ts";
import { Places } from "./places.ts";
import type { Session } from "./session.ts";

/** Slower than the answer: expressions are evaluated again with a recorder. */
export async function explain(session: Session, simulated: SimulatedCluster, outcome: Outcome): Promise<Explanation> {
  const explained = await explainOutcome(simulated, outcome);
  return explanationOf(session, explained, simulated, new Places(session.texts, simulated));
}

/** Explains the result of every policy, rule, webhook and certificate policy. */
function explanationOf(
  session: Session,
  explanation: OutcomeExplanation,
  simulated: SimulatedCluster,
  places: Places,
): Explanation {
  const manifests = { object: session.objectManifest("object"), oldObject: session.objectManifest("oldObject") };
  return {
    lines: explanationLines(explanation, manifests, simulated, places),
    spots: guilty(session, explanation, places),
  };
}

/**
 * Finds the places that decided: the fields of all that is wrong with the object, or the clause that denied and the element that it denied
 * for.
 */
function guilty(session: Session, { outcome, policies }: OutcomeExplanation, places: Places): readonly Spot[] {
  const object = session.objectManifest("object");
  const returned = outcome.problems.filter((problem) => problem.returned);
  const [first = outcome.problems[0]] = returned;
  if (first === undefined) return [];
  if (first.path !== undefined) {
    return [first, ...returned.slice(1)].flatMap(({ path }) => (path === undefined ? [] : places.field(object, path)));
  }
  const { by } = first;
  if (first.system === "certificate") return certificateClauses(outcome, places);
  const explained = policies.find(({ policy, kind }) => policy === by?.name && kind === by.kind)?.expressions ?? [];
  const at = explained.findIndex(
    ({ kind, index, value }) => kind === "validation" && index === by?.path?.[2] && value !== true,
  );
  const path = at === -1 ? undefined : blameOf(explained[at]!.tree, variableTrees(explained.slice(0, at + 1)));
  const clause = by?.path === undefined ? [] : places.expression(by.kind, by.name, by.path);
  return [...clause, ...places.data(path, { object, oldObject: session.objectManifest("oldObject") })];
}

/** Finds the clauses of certificate policies that do not allow the request; a signing request is not readable text. */
function certificateClauses({ certificate }: Outcome, places: Places): readonly Spot[] {
  if (certificate === undefined || certificate.result === "Error") return [];
  return certificate.policies.flatMap((outcome) =>
    outcome.outcome === "denies"
      ? outcome.answers.flatMap(({ evaluation }) =>
          "errors" in evaluation
            ? evaluation.errors.flatMap(({ path }) =>
                places.expression("CertificateRequestPolicy", outcome.policy, [...path.steps]),
              )
            : [],
        )
      : [],
  );
}
