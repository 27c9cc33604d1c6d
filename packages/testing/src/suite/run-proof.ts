// A case that proves a statement about every request that the policies allow. Only a proof passes; it must be about something, so a
// statement that holds because no request is left fails too.

import { nameOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import type { ProofText } from "./read/document.ts";
import type { CaseRun } from "./run-suite.ts";
import type { Case } from "./suite.ts";

/** Milliseconds for each of the two searches: far more than most take, so that a busy machine changes no result. */
const TIME = 5000;

export async function runProof(
  { name, proof, policies }: Case & { readonly proof: ProofText },
  simulated: SimulatedCluster,
): Promise<CaseRun> {
  const bound = withoutUnbound(simulated);
  if (bound.manifests("policy").length === 0) return failed("error", "no validating policy with a binding is in force");
  const { DEFAULT_LIMITS, exampleCase, proveThat } = await import("@celadon/prove");
  const { that, assuming } = proof;
  const options = { limits: { ...DEFAULT_LIMITS, time: TIME }, ...(assuming !== undefined && { assuming }) };
  const answer = await proveThat(bound, that, options);
  if (answer.is === "unknown") return failed("fail", `not known: ${that}; because of: ${answer.because.join("; ")}`);
  if (answer.is === "counterexample") {
    const { operation, object, oldObject } = answer.counterexample;
    const kind = (object ?? oldObject)?.kind ?? "object";
    const actual = `an allowed ${operation} of a ${kind} for which it does not hold`;
    const counterexample = {
      ...exampleCase(undefined, `${name}: counterexample`, answer.counterexample, "allow"),
      ...(policies && { policy: policies }),
    };
    return { result: "fail", differences: [{ aspect: "prove", expected: that, actual }], counterexample };
  }
  // An unknown answer to this does not make the proof wrong.
  const nothing = await proveThat(bound, "false", options);
  if (nothing.is !== "proved") return { result: "pass", differences: [] };
  return failed("fail", `nothing to prove: the policies allow no request${inQuestion(proof)}`);
}

function inQuestion({ assuming }: ProofText): string {
  return assuming === undefined ? " that they match" : ` that they match and for which ${assuming} holds`;
}

function failed(result: "fail" | "error", reason: string): CaseRun {
  return { result, differences: [], reason };
}

/** A policy without a binding enforces nothing. */
function withoutUnbound(simulated: SimulatedCluster): SimulatedCluster {
  const bindings = simulated
    .manifests("binding")
    .map(({ object }) => object.spec as { policyName?: unknown } | undefined);
  const names = new Set(bindings.map((spec) => spec?.policyName));
  const remove = simulated.manifests("policy").flatMap(({ object }) => (names.has(nameOf(object)) ? [] : [object]));
  return remove.length === 0 ? simulated : simulated.with({ remove });
}
