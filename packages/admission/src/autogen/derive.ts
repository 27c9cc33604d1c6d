// Policies for workloads from a policy for pods: requirements for a pod become requirements for the template. For every pod, the policy
// decides on it as the derived policy decides on a workload that has it as its template.

import { pushAll } from "@celadon/base";
import { nameOf, type ObjectMeta } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { type LabelSelector, toLabelSelector } from "@celadon/kube/selectors";
import type { Binding, MatchCondition, MatchResources, Policy } from "../policy.ts";
import { compileProblems } from "./compile-problems.ts";
import { type BindingPlan, planBindings } from "./derive-bindings.ts";
import { derivedName } from "./derived-name.ts";
import type { Note, Skipped } from "./outcome.ts";
import { type PodRules, podRules, workloadRules } from "./rewrite-rules.ts";
import { rewriteSpec, type SkipReason } from "./rewrite-spec.ts";
import { selectorCondition } from "./selector-condition.ts";
import { DEFAULT_KINDS, type WorkloadKind, type Workloads, workloadsOf } from "./workloads.ts";

/** For which workloads policies are derived. */
export interface AutogenOptions<B extends Binding = Binding> {
  /** Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, ReplicationController and CronJob when absent. */
  readonly kinds?: readonly WorkloadKind[];
  /** Bindings to derive bindings from; bindings of other policies are ignored. */
  readonly bindings?: readonly B[];
}

/** A policy for workloads with its bindings, and notes on where it differs from the policy it was derived from. */
export interface DerivedPolicy<P extends Policy = Policy, B extends Binding = Binding> {
  readonly kinds: readonly WorkloadKind[];
  readonly policy: P;
  readonly bindings: readonly B[];
  readonly notes: readonly Note[];
}

/** The results of deriving policies from policies for pods. */
export interface Autogen<P extends Policy = Policy, B extends Binding = Binding> {
  readonly derived: readonly DerivedPolicy<P, B>[];
  readonly skipped: readonly Skipped[];
}

/** The number of match conditions that the API accepts. */
const MAX_CONDITIONS = 64;

/** The bindings are of the policy's family. */
export function deriveWorkloadPolicies<P extends Policy, B extends Binding>(
  policy: P,
  options: AutogenOptions<B> = {},
): Autogen<P, B> {
  const name = nameOf(policy);
  const { kinds = DEFAULT_KINDS, bindings = [] } = options;
  const skip = (problem: SkipReason, of: readonly WorkloadKind[] = kinds): Skipped => ({
    policy: name,
    kinds: of,
    ...problem,
  });
  const match = policy.spec.matchConstraints ?? {};
  const rules = podRules(match.resourceRules ?? [], ["spec", "matchConstraints", "resourceRules"]);
  const selector = toLabelSelector(match.objectSelector ?? {});
  const problems = [...matchProblems(rules, selector), ...compileProblems(policy, "does_not_compile")];
  if (problems.length > 0 || selector instanceof Invalid) {
    return { derived: [], skipped: problems.map((problem) => skip(problem)) };
  }
  const plan = planBindings(bindings.filter(({ spec }) => spec.policyName === name));
  const skipped: Skipped[] = plan.problems.map((problem) => ({ ...skip(problem), binding: problem.binding }));
  const derived: DerivedPolicy<P, B>[] = [];
  for (const place of workloadsOf(kinds)) {
    const placeKinds = place.resources.map(({ kind }) => kind);
    const made = derivePlace(policy, match, rules, selector, plan.groups, place);
    if (made.problems.length === 0) {
      pushAll(
        derived,
        made.derived.map((derivedPolicy) => ({ ...derivedPolicy, kinds: placeKinds })),
      );
      continue;
    }
    // only what depends on the place is worth repeating
    const known = new Set(skipped.map(({ code, path, position }) => JSON.stringify([code, path, position])));
    for (const problem of made.problems) {
      const isKnown = known.has(JSON.stringify([problem.code, problem.path, problem.position]));
      if (!isKnown) skipped.push(skip(problem, problem.code === "derived_does_not_compile" ? placeKinds : kinds));
    }
  }
  return { derived, skipped };
}

function matchProblems({ rules, beyond, notes }: PodRules, selector: LabelSelector | Invalid): SkipReason[] {
  const path = ["spec", "matchConstraints", "resourceRules"];
  const problems: SkipReason[] = [];
  const namesPods = notes.some(({ code }) => code === "named_pods_left_out");
  if (rules.length === 0 && !namesPods) {
    problems.push({ code: "no_pods", message: "no rule matches pods", path });
  } else if (beyond.length > 0) {
    for (const i of beyond) {
      const message = "the rule matches more than pods, so expressions may not be about pods";
      problems.push({ code: "more_than_pods", message, path: [...path, i] });
    }
  } else if (rules.length === 0) {
    problems.push({ code: "no_rules_left", message: "all rules are for pods with given names", path });
  }
  if (selector instanceof Invalid) {
    const at = ["spec", "matchConstraints", "objectSelector"];
    problems.push({ code: "invalid_selector", message: selector.message, path: at });
  }
  return problems;
}

interface DerivedPlace<P extends Policy, B extends Binding> {
  readonly derived: readonly Omit<DerivedPolicy<P, B>, "kinds">[];
  readonly problems: readonly SkipReason[];
}

function derivePlace<P extends Policy, B extends Binding>(
  policy: P,
  match: MatchResources,
  rules: PodRules,
  selector: LabelSelector,
  groups: readonly BindingPlan<B>[],
  place: Workloads,
): DerivedPlace<P, B> {
  const { expressions, problems, notes } = rewriteSpec(policy.spec, rules.rules, place.template);
  if (problems.length > 0) return { derived: [], problems };
  const excluded = podRules(match.excludeResourceRules ?? [], ["spec", "matchConstraints", "excludeResourceRules"]);
  const { objectSelector, excludeResourceRules, ...keptMatch } = match;
  const excludes = workloadRules(excluded.rules, place);
  const matchConstraints: MatchResources = {
    ...keptMatch,
    resourceRules: workloadRules(rules.rules, place),
    ...(excludes.length > 0 && { excludeResourceRules: excludes }),
  };
  const derived: Omit<DerivedPolicy<P, B>, "kinds">[] = [];
  for (const group of groups) {
    const conditions = [...(expressions.matchConditions ?? [])];
    const groupNotes = [...rules.notes, ...excluded.notes, ...notes, ...group.notes];
    for (const [label, labelSelector] of [
      ["object-selector", selector],
      ["binding-object-selector", group.selector],
    ] as const) {
      if (labelSelector.isEmpty) continue;
      const condition = conditionOf(label, selectorCondition(labelSelector, place.template), conditions);
      conditions.push(condition);
      const message = `the objectSelector became the match condition "${condition.name}" on the labels of the template`;
      const path = label === "object-selector" ? ["spec", "matchConstraints", "objectSelector"] : group.selectorPath;
      groupNotes.push({ code: "selector_became_condition", message, path });
    }
    if (conditions.length > MAX_CONDITIONS) {
      const message = `selectors become match conditions, and a policy can have at most ${MAX_CONDITIONS}`;
      return { derived: [], problems: [{ code: "too_many_conditions", message, path: ["spec", "matchConditions"] }] };
    }
    const name = derivedName(place.name, group.suffix === "" ? nameOf(policy) : `${nameOf(policy)}-${group.suffix}`);
    const made = {
      apiVersion: policy.apiVersion,
      kind: policy.kind,
      metadata: derivedMetadata(policy.metadata, name),
      spec: {
        ...policy.spec,
        matchConstraints,
        ...expressions,
        ...(conditions.length > 0 && { matchConditions: conditions }),
      },
    } as P;
    const wrong = compileProblems(made, "derived_does_not_compile");
    if (wrong.length > 0) return { derived: [], problems: wrong };
    const bindings = group.bindings.map(({ binding, match: own }) => ({
      ...binding,
      metadata: derivedMetadata(binding.metadata, derivedName(place.name, nameOf(binding))),
      spec: { ...binding.spec, policyName: name, ...(own && { matchResources: own(place) }) },
    })) as B[];
    derived.push({ policy: made, bindings, notes: groupNotes });
  }
  return { derived, problems: [] };
}

function conditionOf(label: string, expression: string, others: readonly MatchCondition[]): MatchCondition {
  const taken = new Set(others.map(({ name }) => name));
  let name = `autogen-${label}`;
  for (let i = 2; taken.has(name); i++) name = `autogen-${label}-${i}`;
  return { name, expression };
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Labels and annotations stay; fields set by a server are not copied to the new object. */
function derivedMetadata({ labels, annotations, namespace }: ObjectMeta, name: string): ObjectMeta {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  };
}
