// The questions that `celadon prove` asks about every policy, and the answers that are problems.

import { expressionPath } from "@celadon/admission/explain";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import { PolicyProver, type ProofAnswer, type ProveOptions } from "@celadon/prove";
import type { SimulatedCluster } from "@celadon/simulator";
import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";

/** A question about a policy, with its answer. */
export interface AnsweredQuestion {
  readonly policy: string;
  /** The validation; undefined for the policy as a whole. */
  readonly index: number | undefined;
  readonly question: "never-errors" | "always" | "never" | "allows-nothing";
  readonly answer: ProofAnswer;
  /** The answer as a sentence; a problem unless authors want it. */
  readonly says: string;
  readonly isProblem: boolean;
  readonly manifest: Manifest;
  readonly place: ShownPlace | undefined;
}

export async function* askPolicies(
  simulated: SimulatedCluster,
  options: ProveOptions,
  signal: AbortSignal,
): AsyncIterable<AnsweredQuestion> {
  for (const manifest of simulated.manifests("policy")) {
    const resource = simulated.inForce(manifest.object);
    if (resource === undefined) continue;
    const policy = compilePolicy(resource as ValidatingAdmissionPolicy);
    const prover = new PolicyProver(policy, simulated, options);
    for (const index of policy.validations.keys()) {
      const place = placeOf(manifest, expressionPath("validation", index));
      for (const question of ["never-errors", "always", "never"] as const) {
        signal.throwIfAborted();
        const answer = await prover.ask(question, index);
        const asked = { policy: policy.name, index, question, answer, ...saying(question, answer), manifest, place };
        yield asked;
        if (answer.is === "proved" && answer.reachesNothing) break;
      }
    }
    if (policy.validations.length > 1) {
      const answer = await prover.contradicts();
      const place = placeOf(manifest, ["spec", "validations"]);
      yield {
        policy: policy.name,
        index: undefined,
        question: "allows-nothing",
        answer,
        ...saying("allows-nothing", answer),
        manifest,
        place,
      };
    }
  }
}

/** Answers in the words of an author. */
const SAYS: Readonly<Record<AnsweredQuestion["question"], Readonly<Record<ProofAnswer["is"], string>>>> = {
  "never-errors": {
    proved: "never fails to evaluate",
    counterexample: "can fail to evaluate",
    unknown: "may fail to evaluate",
  },
  always: { proved: "always holds: it denies nothing", counterexample: "can be false", unknown: "may always hold" },
  never: {
    proved: "never holds: it denies everything that the policy matches",
    counterexample: "can be true",
    unknown: "may never hold",
  },
  "allows-nothing": {
    proved: "validations contradict each other: together they deny everything that the policy matches",
    counterexample: "validations can hold together",
    unknown: "validations may contradict each other",
  },
};

function saying(
  question: AnsweredQuestion["question"],
  answer: ProofAnswer,
): Pick<AnsweredQuestion, "says" | "isProblem"> {
  if (answer.is === "proved" && answer.reachesNothing)
    return { says: "is never evaluated: no request gets that far", isProblem: true };
  const wantsProof = question === "never-errors";
  const isProblem = answer.is === (wantsProof ? "counterexample" : "proved");
  return { says: SAYS[question][answer.is], isProblem };
}
