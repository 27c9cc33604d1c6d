// The scheduling.k8s.io group: PriorityClasses.

import type { PriorityClass } from "../../api/generated/scheduling-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { preemptionPolicy } from "../core/pod/spec.ts";
import { shownPointer } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";

const HIGHEST = 1_000_000_000;
const SYSTEM = "system-";
/** The classes a server makes for itself. */
const KNOWN: Readonly<Record<string, number>> = {
  "system-node-critical": 2 * HIGHEST + 1000,
  "system-cluster-critical": 2 * HIGHEST,
};

const priorityClass: AnyKindRules = kindRules<PriorityClass>({
  kind: { group: "scheduling.k8s.io", kind: "PriorityClass" },
  resource: "priorityclasses",
  namespaced: false,
  unconditionalUpdate: true,
  prepareCreate: (object) => withField(object, ["metadata", "generation"], 1),
  validate(object, at) {
    metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
    const problem = systemProblem(object);
    if (object.metadata?.name?.startsWith(SYSTEM)) {
      const detail = `priority class names with '${SYSTEM}' prefix are reserved for system use only. error: ${problem}`;
      if (problem !== undefined) at.child("metadata", "name").forbidden(detail);
    } else if ((object.value ?? 0) > HIGHEST) {
      at.child("value").forbidden(`maximum allowed value of a user defined priority is ${HIGHEST}`);
    }
    preemptionPolicy(object.preemptionPolicy, at.child("preemptionPolicy"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    if ((object.value ?? 0) !== (old.value ?? 0)) at.child("value").forbidden("may not be changed in an update.");
    at.child("preemptionPolicy").immutable(object.preemptionPolicy, old.preemptionPolicy, shownPointer);
  },
});

function systemProblem(object: PriorityClass): string | undefined {
  const name = object.metadata?.name ?? "";
  const value = KNOWN[name];
  if (value === undefined) return `${name} is not a known system priority class`;
  if (value !== (object.value ?? 0)) return `value of ${name} PriorityClass must be ${value}`;
  return object.globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export const KINDS: readonly AnyKindRules[] = [priorityClass];
