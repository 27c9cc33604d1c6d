// The questions about a validating policy.

import { expressionPath } from "@celadon/admission/explain";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { PolicyProver } from "../question/policy-question.ts";
import type { ProveOptions } from "../question/search-all.ts";
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
  for (const index of policy.validations.keys()) {
    const here = { ...place, part: `validations[${index}]`, path: expressionPath("validation", index) };
    for (const question of ["never-errors", "always", "never"] as const) {
      const answer = await prover.ask(question, index);
      yield askedQuestion(here, question, answer);
      if (answer.is === "proved" && answer.reachesNothing) break;
    }
  }
  if (policy.validations.length > 1) {
    const whole = { ...place, part: "", path: ["spec", "validations"] };
    yield askedQuestion(whole, "allows-nothing", await prover.contradicts());
  }
}
