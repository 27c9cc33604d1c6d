// Pods get the number and the preemption policy of their priority class; only one class is the default.
// Upstream: plugin/pkg/admission/priority.

import type { AdmissionRequest } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Pod } from "@celadon/kube/api/core-v1";
import type { PriorityClass } from "@celadon/kube/api/scheduling-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { isAbout, type PluginHosts, refusal } from "../plugin-hosts.ts";

const CLASSES = "priorityclasses.scheduling.k8s.io";
const GROUP = "scheduling.k8s.io";

export function priority(hosts: PluginHosts): AdmissionPlugin {
  return {
    name: "Priority",
    mutate(request) {
      if (!isAbout(request, "", "pods")) return undefined;
      const pod = request.object as Pod;
      if (request.operation === "CREATE") return withPriority(hosts, request, pod);
      if (request.operation !== "UPDATE") return undefined;
      const old = (request.oldObject as Pod).spec ?? {};
      const { priority: number = old.priority, preemptionPolicy = old.preemptionPolicy } = pod.spec ?? {};
      if (number === pod.spec?.priority && preemptionPolicy === pod.spec?.preemptionPolicy) return undefined;
      return { ...pod, spec: { ...pod.spec, priority: number, preemptionPolicy } } as KubeObject;
    },
    validate(request) {
      if (!isAbout(request, GROUP, "priorityclasses") || request.operation === "DELETE") return;
      const { globalDefault, metadata } = request.object as PriorityClass;
      const current = globalDefault ? defaultClass(hosts)?.metadata?.name : undefined;
      if (current === undefined || (request.operation === "UPDATE" && current === metadata?.name)) return;
      throw refusal(request, `PriorityClass ${current} is already marked as default. Only one default can exist`);
    },
  };
}

function withPriority(hosts: PluginHosts, request: AdmissionRequest, pod: Pod): KubeObject {
  const { spec = {} } = pod;
  const name = spec.priorityClassName ?? "";
  const found = name === "" ? defaultClass(hosts) : (hosts.get(CLASSES, "", name) as PriorityClass | undefined);
  if (name !== "" && found === undefined) {
    throw refusal(request, `no PriorityClass with name ${name} was found`);
  }
  const value = found?.value ?? 0;
  const policy = found === undefined ? "PreemptLowerPriority" : found.preemptionPolicy;
  if (spec.priority !== undefined && spec.priority !== value) {
    const text = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refusal(request, text);
  }
  if (policy !== undefined && spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const text = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refusal(request, text);
  }
  const className = name || (found?.metadata?.name ?? "");
  const changed = {
    ...spec,
    ...(className !== "" && { priorityClassName: className }),
    priority: value,
    ...(policy !== undefined && { preemptionPolicy: policy }),
  };
  return { ...pod, spec: changed } as KubeObject;
}

/** Chooses the one with the lowest value among several, which only a race creates. */
function defaultClass(hosts: PluginHosts): PriorityClass | undefined {
  const classes = (hosts.list(CLASSES, "") as readonly PriorityClass[]).filter(({ globalDefault }) => globalDefault);
  return classes.reduce<PriorityClass | undefined>(
    (least, priorityClass) =>
      least === undefined || (priorityClass.value ?? 0) < (least.value ?? 0) ? priorityClass : least,
    undefined,
  );
}
