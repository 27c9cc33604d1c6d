// The questions about a validating policy.

import { expressionPath } from "@celadon/admission/explain";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { PolicyProver } from "../question/policy-question.ts";
import type { ProveOptions } from "../question/search-all.ts";
import { operandsOf } from "../request/policy-run.ts";
import { type AskedQuestion, askedQuestion } from "./asked.ts";

export async function* askPolicy(
  manifest: Manifest,
  simulated: SimulatedCluster,
  options: ProveOptions,
): AsyncGenerator<AskedQuestion, void, undefined> {
  const resource = simulated.inForce(manifest.object);
  if (resource === undefined) return;
  const policy = compilePolicy(resource as ValidatingAdmissionPolicy);
  const prover = new PolicyProver(policy, simulated, options);
  const place = { system: "policy", name: policy.name, manifest } as const;
  const useless = new Set<number>();
  for (const [index, validation] of policy.validations.entries()) {
    const here = { ...place, part: `validations[${index}]`, path: expressionPath("validation", index) };
    let isReached = true;
    for (const question of ["never-errors", "always", "never"] as const) {
      const answer = await prover.ask(question, index);
      yield askedQuestion(here, question, answer);
      if (answer.is === "proved" && question !== "never-errors") useless.add(index);
      if (answer.is === "proved" && answer.reachesNothing) isReached = false;
      if (!isReached) break;
    }
    if (!isReached) {
      useless.add(index);
      continue;
    }
    if (useless.has(index)) continue;
    // An operand that decides something is as it should be: only the others are worth a line.
    const operands = operandsOf(validation);
    for (const [i, { text, isGuard }] of operands.entries()) {
      const answer = await prover.isIdle(index, i);
      if (answer.is !== "proved") continue;
      const asked = askedQuestion(here, "idle-operand", answer, text);
      yield isGuard ? { ...asked, isProblem: false } : asked;
    }
  }
  const { length } = policy.validations;
  if (length < 2) return;
  const whole = { ...place, part: "", path: ["spec", "validations"] };
  yield askedQuestion(whole, "allows-nothing", await prover.contradicts());
  if (useless.size > 0 || length > MOST_VALIDATIONS) return;
  for (const index of policy.validations.keys()) {
    const here = { ...place, part: `validations[${index}]`, path: expressionPath("validation", index) };
    yield askedQuestion(here, "redundant", await prover.isImplied(index));
  }
}

/** Policies with more validations are generated, and asking each about all others would be quadratic. */
const MOST_VALIDATIONS = 20;
