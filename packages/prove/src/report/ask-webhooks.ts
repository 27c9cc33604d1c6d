// The questions about match conditions of validating webhooks. Conditions are asked about as validations of a policy with the same rules and
// selectors. Mutating webhooks see objects that are not validated yet, which answers about policies do not cover.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { PolicyProver } from "../question/policy-question.ts";
import type { ProveOptions } from "../question/search-all.ts";
import { type AskedQuestion, askedQuestion } from "./asked.ts";

interface ConditionalWebhook {
  readonly name?: string;
  readonly rules?: readonly unknown[];
  readonly objectSelector?: object;
  readonly namespaceSelector?: object;
  readonly matchPolicy?: string;
  readonly matchConditions?: readonly { readonly name?: string; readonly expression?: string }[];
}

export async function* askWebhooks(
  manifest: Manifest,
  simulated: SimulatedCluster,
  options: ProveOptions,
): AsyncGenerator<AskedQuestion, void, undefined> {
  if (manifest.object.kind !== "ValidatingWebhookConfiguration" || simulated.inForce(manifest.object) === undefined)
    return;
  const { webhooks = [] } = manifest.object as { readonly webhooks?: readonly ConditionalWebhook[] };
  for (const [i, webhook] of webhooks.entries()) {
    const { matchConditions = [], name = "" } = webhook;
    if (matchConditions.length === 0) continue;
    const policy = conditionPolicy(webhook);
    const compiled = compilePolicy(policy as unknown as ValidatingAdmissionPolicy);
    const prover = new PolicyProver(compiled, simulated.with({ put: [policy] }), options);
    const place = { system: "webhook", name, manifest } as const;
    for (const index of matchConditions.keys()) {
      const path = ["webhooks", i, "matchConditions", index, "expression"];
      const here = { ...place, part: `matchConditions[${index}]`, path };
      for (const question of ["never-errors", "always", "never"] as const) {
        const answer = await prover.ask(question, index);
        yield askedQuestion(here, question, answer);
        if (answer.is === "proved" && answer.reachesNothing) break;
      }
    }
    if (matchConditions.length > 1) {
      const whole = { ...place, part: "", path: ["webhooks", i, "matchConditions"] };
      yield askedQuestion(whole, "allows-nothing", await prover.contradicts());
    }
  }
}

function conditionPolicy(webhook: ConditionalWebhook): KubeObject {
  const { rules = [], objectSelector, namespaceSelector, matchPolicy, matchConditions = [] } = webhook;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "celadon-match-conditions" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: rules,
        ...(objectSelector && { objectSelector }),
        ...(namespaceSelector && { namespaceSelector }),
        ...(matchPolicy && { matchPolicy }),
      },
      validations: matchConditions.map(({ expression }) => ({ expression })),
    },
  } as unknown as KubeObject;
}
