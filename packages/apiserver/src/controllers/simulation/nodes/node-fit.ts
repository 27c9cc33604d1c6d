// Whether a pod may run on a node, by the pod's selectors and the node's taints. Upstream: component-helpers scheduling/corev1.

import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Taint,
  Toleration,
} from "@celadon/kube/api/core-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { metaOf } from "../frame/stand-in.ts";

type Labels = Readonly<Record<string, string>>;

export const labelsOf = (object: object): Labels => (metaOf(object).labels ?? {}) as Labels;

/** By spec.nodeSelector and the required node affinity. */
export function isSelected(spec: PodSpec | undefined, node: Node): boolean {
  const labels = labelsOf(node);
  if (!Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required == null || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** A term without any requirement matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if ((matchExpressions?.length ?? 0) + (matchFields?.length ?? 0) === 0) return false;
  const labels = labelsOf(node);
  const fields = { "metadata.name": metaOf(node).name ?? "" };
  return (
    (matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, labels)) &&
    (matchFields ?? []).every((requirement) => matchesRequirement(requirement, fields))
  );
}

function matchesRequirement({ key = "", operator, values }: NodeSelectorRequirement, labels: Labels): boolean {
  if (operator === "Gt" || operator === "Lt") {
    const [value, limit] = [Number(labels[key]), Number(values?.[0])];
    return Number.isInteger(value) && Number.isInteger(limit) && (operator === "Gt" ? value > limit : value < limit);
  }
  const selector = toLabelSelector({ matchExpressions: [{ key, operator: operator ?? "", values: values ?? [] }] });
  return !(selector instanceof Invalid) && selector.matches(labels);
}

/** The first taint of these effects that is not tolerated. */
export function untolerated(
  node: Node,
  tolerations: readonly Toleration[] | null | undefined,
  effects: readonly string[],
): Taint | undefined {
  return (node.spec?.taints ?? []).find(
    (taint) => effects.includes(taint.effect ?? "") && !(tolerations ?? []).some((one) => tolerates(one, taint)),
  );
}

function tolerates({ key = "", operator = "Equal", value = "", effect = "" }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  const [own, given] = [taint.value ?? "", value];
  if (operator === "Gt" || operator === "Lt") {
    const [a, b] = [Number(own), Number(given)];
    return own !== "" && given !== "" && (operator === "Gt" ? a > b : a < b);
  }
  return key !== "" && own === given;
}

/** The ports of the node that a pod takes. */
export function hostPorts(pod: Pod): readonly string[] {
  const { spec } = pod;
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter((one) => one.restartPolicy === "Always")]
    .flatMap(({ ports }) => ports ?? [])
    .filter(({ hostPort }) => (hostPort ?? 0) > 0)
    .map(
      ({ hostPort, protocol = "TCP", hostIP = "" }) => `${protocol} ${hostPort} ${hostIP === "" ? "0.0.0.0" : hostIP}`,
    );
}

/** A port on all addresses conflicts with the same port on any. */
export function isTaken(port: string, taken: readonly string[]): boolean {
  const [protocol, number, address] = port.split(" ");
  return taken.some((other) => {
    const [p, n, a] = other.split(" ");
    return p === protocol && n === number && (a === address || a === "0.0.0.0" || address === "0.0.0.0");
  });
}
