// Where pods may be beside each other: required affinity and anti-affinity, and even spreading over topologies. Upstream: kubernetes
// pkg/scheduler/framework/plugins/{interpodaffinity,podtopologyspread}.

import type { Namespace, Node, Pod, PodAffinityTerm, TopologySpreadConstraint } from "@celadon/kube/api/core-v1";
import type { LabelSelector } from "@celadon/kube/api/meta-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { isDeleted, metaOf } from "../frame/stand-in.ts";
import { isSelected, labelsOf, untolerated } from "./node-fit.ts";

/** A node with the unfinished pods on it. */
export interface Placed {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/** Namespaces by name, for selectors of them. */
export interface Namespaces {
  namespace(name: string): Namespace | undefined;
}

const SPREAD = "node(s) didn't match pod topology spread constraints";

/** Why a pod may not go to a node, by its own constraints that forbid it. */
export function spreadProblem(pod: Pod, node: Node, placed: readonly Placed[]): string | undefined {
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
    if (constraint.whenUnsatisfiable !== "DoNotSchedule") continue;
    const key = constraint.topologyKey ?? "";
    const own = labelsOf(node)[key];
    if (own === undefined) return `${SPREAD} (missing required label)`;
    const matches = selecting(constraint.labelSelector, pod, constraint.matchLabelKeys);
    const counts = new Map<string, number>();
    for (const other of placed) {
      const domain = labelsOf(other.node)[key];
      if (domain === undefined || !isCounted(constraint, pod, other.node)) continue;
      const here = other.pods.filter(
        (one) => metaOf(one).namespace === metaOf(pod).namespace && !isDeleted(one) && matches(one),
      );
      counts.set(domain, (counts.get(domain) ?? 0) + here.length);
    }
    const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
    const self = matches(pod) ? 1 : 0;
    if ((counts.get(own) ?? 0) + self - least > (constraint.maxSkew ?? 1)) return SPREAD;
  }
  return undefined;
}

/** Whether a node's domain counts for a pod. */
function isCounted({ nodeAffinityPolicy, nodeTaintsPolicy }: TopologySpreadConstraint, pod: Pod, node: Node): boolean {
  if (nodeAffinityPolicy !== "Ignore" && !isSelected(pod.spec, node)) return false;
  return (
    nodeTaintsPolicy !== "Honor" || untolerated(node, pod.spec?.tolerations, ["NoSchedule", "NoExecute"]) === undefined
  );
}

export function affinityProblem(
  pod: Pod,
  node: Node,
  placed: readonly Placed[],
  namespaces: Namespaces,
): string | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const isNear = (term: PodAffinityTerm, owner: Pod, other: Pod, at: Node): boolean => {
    const key = term.topologyKey ?? "";
    const [own, its] = [labelsOf(node)[key], labelsOf(at)[key]];
    return own !== undefined && own === its && matchesTerm(term, owner, other, namespaces);
  };
  const all = placed.flatMap(({ node: at, pods }) => pods.map((other) => ({ at, other })));
  for (const { at, other } of all) {
    const terms = other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.some((term) => isNear(term, other, pod, at)))
      return "node(s) didn't satisfy existing pods anti-affinity rules";
  }
  const against = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (against.some((term) => all.some(({ at, other }) => isNear(term, pod, other, at))))
    return "node(s) didn't match pod anti-affinity rules";
  const required = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (required.some((term) => labelsOf(node)[term.topologyKey ?? ""] === undefined)) return AFFINITY;
  if (required.every((term) => all.some(({ at, other }) => isNear(term, pod, other, at)))) return undefined;
  // The first of a group that wants to be together has nobody to be with.
  const isFirst =
    required.every((term) => matchesTerm(term, pod, pod, namespaces)) &&
    !all.some(({ other }) => required.every((term) => matchesTerm(term, pod, other, namespaces)));
  return isFirst ? undefined : AFFINITY;
}

const AFFINITY = "node(s) didn't match pod affinity rules";

/** Whether a term of one pod means another. */
function matchesTerm(term: PodAffinityTerm, owner: Pod, other: Pod, { namespace }: Namespaces): boolean {
  const own = metaOf(owner).namespace ?? "";
  const place = metaOf(other).namespace ?? "";
  const { namespaces = [], namespaceSelector } = term;
  const names = namespaces ?? [];
  const isNamed = names.includes(place) || (names.length === 0 && namespaceSelector == null && place === own);
  const isChosen =
    isNamed || (namespaceSelector != null && selecting(namespaceSelector, owner)(namespace(place) ?? {}));
  const keys = term.matchLabelKeys ?? [];
  return isChosen && selecting(term.labelSelector, owner, keys, term.mismatchLabelKeys ?? [])(other);
}

/** Whether labels match a selector, and those of the keys are the same as, or differ from, the pod's own. An empty selector matches all. */
function selecting(
  selector: LabelSelector | null | undefined,
  pod: Pod,
  same: readonly string[] | null = [],
  different: readonly string[] = [],
): (object: object) => boolean {
  const parsed = toLabelSelector(selector as Parameters<typeof toLabelSelector>[0]);
  if (parsed instanceof Invalid) return () => false;
  const own = labelsOf(pod);
  return (object) => {
    const labels = labelsOf(object);
    return (
      parsed.matches(labels) &&
      (same ?? []).every((key) => own[key] === undefined || labels[key] === own[key]) &&
      different.every((key) => own[key] === undefined || labels[key] !== own[key])
    );
  };
}
