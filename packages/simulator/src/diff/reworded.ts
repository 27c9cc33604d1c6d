// Policies that changed only in words: the messages of a denial. As long as the old one denies nothing, the new one decides the same, and
// need not be evaluated.

import type { PolicyEntry, PolicyOutcome, PolicySet } from "@celadon/admission";
import type { CompiledPolicy } from "@celadon/admission/steps";
import { deepEqual } from "@celadon/base";

/** Policies of the new set that differ from those of the same name in the old one only in words, and have the same bindings. */
export function rewordedPolicies(old: PolicySet, next: PolicySet): ReadonlySet<CompiledPolicy> {
  const before = new Map(old.entries().map((entry) => [entry.policy.name, entry]));
  const reworded = next.entries().filter((entry) => {
    const was = before.get(entry.policy.name);
    return was !== undefined && sameBindings(was, entry) && sameButWords(was.policy, entry.policy);
  });
  return new Set(reworded.map(({ policy }) => policy));
}

function sameBindings({ bindings: a }: PolicyEntry, { bindings: b }: PolicyEntry): boolean {
  return a.length === b.length && a.every(({ binding }, i) => binding === b[i]!.binding);
}

function sameButWords({ policy: a }: CompiledPolicy, { policy: b }: CompiledPolicy): boolean {
  return deepEqual(withoutWords(a.spec), withoutWords(b.spec));
}

function withoutWords({ validations = [], ...rest }: CompiledPolicy["policy"]["spec"]): unknown {
  return { ...rest, validations: validations.map(({ message: _, reason: __, ...decides }) => decides) };
}

/** Whether a policy denies: then its words count. Errors have words of their own. */
export function denies(outcome: PolicyOutcome): boolean {
  if (outcome.outcome !== "matched") return false;
  for (const binding of outcome.bindings) {
    if (binding.outcome !== "evaluated") continue;
    for (const { decisions } of binding.evaluations) {
      for (const { evaluation } of decisions) if (evaluation === "deny") return true;
    }
  }
  return false;
}
