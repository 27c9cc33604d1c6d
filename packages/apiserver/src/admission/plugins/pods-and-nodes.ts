// Small rules for pods and nodes: fields that a runtime class sets in a pod, how long pods stay on a node that is gone, and that a new node
// is not ready. Upstream: plugin/pkg/admission/runtimeclass, defaulttolerationseconds, nodetaint.

import type { AdmissionRequest } from "@celadon/admission";
import { quoteGo, semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Node, Pod, Toleration } from "@celadon/kube/api/core-v1";
import type { RuntimeClass } from "@celadon/kube/api/node-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { quantitiesOf, type ResourceList } from "../../quota/pod-resources.ts";
import { isAbout, type PluginHosts, refusal } from "../plugin-hosts.ts";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";
const SECONDS = 300;

export const defaultTolerations: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate(request) {
    const { operation } = request;
    if (!isAbout(request, "", "pods") || (operation !== "CREATE" && operation !== "UPDATE")) return undefined;
    const pod = request.object as Pod;
    const { tolerations = [] } = pod.spec ?? {};
    const isTolerated = (taint: string): boolean =>
      tolerations.some(
        ({ key = "", effect = "" }) => (key === taint || key === "") && (effect === "NoExecute" || effect === ""),
      );
    const missing = [NOT_READY, UNREACHABLE].filter((taint) => !isTolerated(taint));
    if (missing.length === 0) return undefined;
    const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: SECONDS }));
    return { ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } } as KubeObject;
  },
};

export const nodeTaint: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate(request) {
    if (request.operation !== "CREATE" || !isAbout(request, "", "nodes")) return undefined;
    const node = request.object as Node;
    const { taints = [] } = node.spec ?? {};
    if (taints.some(({ key, effect }) => key === NOT_READY && effect === "NoSchedule")) return undefined;
    return {
      ...node,
      spec: { ...node.spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] },
    } as KubeObject;
  },
};

export function runtimeClass(hosts: PluginHosts): AdmissionPlugin {
  const classOf = (request: AdmissionRequest): RuntimeClass | undefined => {
    const name = (request.object as Pod).spec?.runtimeClassName;
    if (name === undefined) return undefined;
    const found = hosts.get("runtimeclasses.node.k8s.io", "", name) as RuntimeClass | undefined;
    if (found !== undefined) return found;
    throw refusal(request, `pod rejected: RuntimeClass ${quoteGo(name)} not found`);
  };
  const isAsked = (request: AdmissionRequest): boolean =>
    request.operation === "CREATE" && isAbout(request, "", "pods");
  return {
    name: "RuntimeClass",
    mutate(request) {
      const found = isAsked(request) ? classOf(request) : undefined;
      if (found === undefined) return undefined;
      const pod = request.object as Pod;
      const spec = { ...pod.spec, ...overheadOf(request, found, pod), ...schedulingOf(request, found, pod) };
      return { ...pod, spec } as KubeObject;
    },
    validate(request) {
      if (!isAsked(request)) return;
      const { overhead: wanted } = classOf(request) ?? {};
      const { overhead } = (request.object as Pod).spec ?? {};
      if (wanted === undefined) {
        if (overhead === undefined) return;
        throw refusal(request, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
      if (!sameQuantities(wanted.podFixed, overhead)) throw refusal(request, OTHER_OVERHEAD);
    },
  };
}

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function overheadOf(request: AdmissionRequest, { overhead }: RuntimeClass, { spec }: Pod): object {
  if (overhead === undefined) return {};
  const own = spec?.overhead ?? {};
  if (Object.keys(own).length > 0 && !sameQuantities(overhead.podFixed, own)) throw refusal(request, OTHER_OVERHEAD);
  return overhead.podFixed === undefined ? {} : { overhead: overhead.podFixed };
}

function schedulingOf(request: AdmissionRequest, { scheduling }: RuntimeClass, { spec }: Pod): object {
  if (scheduling === undefined) return {};
  const own = spec?.nodeSelector ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    if (!Object.hasOwn(own, key) || own[key] === value) continue;
    const text = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
    throw refusal(request, text);
  }
  const nodeSelector = { ...own, ...scheduling.nodeSelector };
  const tolerations = mergedTolerations(spec?.tolerations ?? [], scheduling.tolerations ?? []);
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}

/** Without those that others of the list cover. */
function mergedTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  return all.filter((toleration, i) => {
    if (all.slice(0, i).some((other) => semanticEqual(other, toleration))) return false;
    return !all.some((other) => !semanticEqual(other, toleration) && covers(other, toleration));
  });
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (semanticEqual(wide, narrow)) return true;
  if ((wide.key ?? "") !== (narrow.key ?? "") && !(!wide.key && wide.operator === "Exists")) return false;
  if ((wide.effect ?? "") !== (narrow.effect ?? "") && wide.effect) return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || wide.tolerationSeconds < narrow.tolerationSeconds) return false;
  }
  return wide.operator === "Exists" || (wide.value ?? "") === (narrow.value ?? "");
}

function sameQuantities(a: ResourceList | undefined, b: ResourceList | undefined): boolean {
  const [left, right] = [quantitiesOf(a), quantitiesOf(b)];
  return left.size === right.size && [...left].every(([name, quantity]) => right.get(name)?.equals(quantity) ?? false);
}
