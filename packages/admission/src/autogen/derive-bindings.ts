// Bindings of a policy, grouped by the labels they select: bindings have no match conditions, so a binding with an
// objectSelector gets its own derived policy with that condition.

import { pushAll } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { LabelSelector, toLabelSelector } from "@celadon/kube/selectors";
import type { Binding, MatchResources } from "../policy.ts";
import type { Note } from "./outcome.ts";
import { podRules, workloadRules } from "./rewrite-rules.ts";
import type { SkipReason } from "./rewrite-spec.ts";
import type { Workloads } from "./workloads.ts";

export interface BindingPlan<B extends Binding = Binding> {
  /** Appended to the name of the policy; empty for the one without a selector. */
  readonly suffix: string;
  readonly selector: LabelSelector;
  readonly selectorPath: readonly (string | number)[];
  readonly bindings: readonly PlannedBinding<B>[];
  readonly notes: readonly Note[];
}

export interface PlannedBinding<B extends Binding = Binding> {
  readonly binding: B;
  /** matchResources for workloads of a place; undefined without any. */
  readonly match: ((place: Workloads) => MatchResources) | undefined;
}

export interface BindingPlans<B extends Binding = Binding> {
  /** At least one, even without bindings. */
  readonly groups: readonly BindingPlan<B>[];
  readonly problems: readonly (SkipReason & { readonly binding: string })[];
}

const SELECTOR = ["spec", "matchResources", "objectSelector"];

export function planBindings<B extends Binding>(bindings: readonly B[]): BindingPlans<B> {
  const shared: PlannedBinding<B>[] = [];
  const sharedNotes: Note[] = [];
  const groups: BindingPlan<B>[] = [];
  const problems: (SkipReason & { binding: string })[] = [];
  for (const binding of bindings) {
    const name = nameOf(binding);
    const { matchResources } = binding.spec;
    const selector = toLabelSelector(matchResources?.objectSelector ?? {});
    if (selector instanceof Invalid) {
      problems.push({ binding: name, code: "invalid_selector", message: selector.message, path: SELECTOR });
      continue;
    }
    const planned = matchResources === undefined ? { match: undefined, notes: [] } : planMatch(matchResources);
    if (planned === undefined) {
      const message = "no rule of the binding matches pods of workloads";
      problems.push({
        binding: name,
        code: "no_rules_left",
        message,
        path: ["spec", "matchResources", "resourceRules"],
      });
    } else if (selector.isEmpty) {
      shared.push({ binding, match: planned.match });
      pushAll(sharedNotes, planned.notes);
    } else {
      const item = { binding, match: planned.match };
      groups.push({ suffix: name, selector, selectorPath: SELECTOR, bindings: [item], notes: planned.notes });
    }
  }
  if (shared.length > 0 || bindings.length === 0) {
    groups.unshift({
      suffix: "",
      selector: LabelSelector.everything,
      selectorPath: SELECTOR,
      bindings: shared,
      notes: sharedNotes,
    });
  }
  return { groups, problems };
}

/** Undefined when the rules leave nothing to match. */
function planMatch(
  match: MatchResources,
): { match: (place: Workloads) => MatchResources; notes: readonly Note[] } | undefined {
  const { objectSelector, resourceRules, excludeResourceRules, ...kept } = match;
  const path = ["spec", "matchResources"];
  const rules = podRules(resourceRules ?? [], [...path, "resourceRules"]);
  const excluded = podRules(excludeResourceRules ?? [], [...path, "excludeResourceRules"]);
  if (rules.rules.length === 0 && (resourceRules ?? []).length > 0) return undefined;
  return {
    match: (place) => ({
      ...kept,
      ...(rules.rules.length > 0 && { resourceRules: workloadRules(rules.rules, place) }),
      ...(excluded.rules.length > 0 && { excludeResourceRules: workloadRules(excluded.rules, place) }),
    }),
    notes: [...rules.notes, ...excluded.notes],
  };
}
