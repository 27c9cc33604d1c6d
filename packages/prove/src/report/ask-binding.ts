// Whether a binding changes any answer, or others of its policy deny all that it denies.

import type { ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { compareSets } from "../question/compare-sets.ts";
import type { ProveOptions } from "../question/search-all.ts";
import { type AskedQuestion, askedQuestion } from "./asked.ts";

export async function* askBinding(
  manifest: Manifest,
  simulated: SimulatedCluster,
  options: ProveOptions,
): AsyncGenerator<AskedQuestion, void, undefined> {
  const { kind, spec, metadata } = manifest.object as unknown as ValidatingAdmissionPolicyBinding;
  const { policyName, validationActions = [] } = spec;
  if (kind !== "ValidatingAdmissionPolicyBinding" || !validationActions.includes("Deny")) return;
  const isOther = ({ object }: Manifest): boolean =>
    object !== manifest.object &&
    (object as unknown as ValidatingAdmissionPolicyBinding).spec?.policyName === policyName;
  // Without another binding of the policy, it is the one that puts the policy in force.
  if (!simulated.manifests("binding").some(isOther)) return;
  const { newlyAllowed } = await compareSets(simulated, simulated.with({ remove: [manifest.object] }), options);
  const place = { system: "policy", name: metadata?.name ?? "", manifest, part: "", path: ["spec"] } as const;
  if (newlyAllowed.is === "proved") yield askedQuestion(place, "shadowed", newlyAllowed);
}
