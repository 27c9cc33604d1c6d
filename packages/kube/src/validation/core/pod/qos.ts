// The quality of service class of a pod, from its requests and limits of cpu and memory.

import type { PodSpec, ResourceRequirements } from "../../../api/generated/core-v1.ts";
import type { Quantity } from "../../../quantity/quantity.ts";
import { quantityAt } from "../../checks/quantities.ts";

const COUNTED = ["cpu", "memory"];
type Sums = Map<string, Quantity>;

export function podQos(spec: PodSpec): "BestEffort" | "Burstable" | "Guaranteed" {
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  let guaranteed = true;
  if (spec.resources !== undefined) {
    addTo(requests, spec.resources.requests);
    if (addTo(limits, spec.resources.limits) < COUNTED.length && hasAny(spec.resources)) guaranteed = false;
  } else {
    for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      addTo(requests, container.resources?.requests);
      if (addTo(limits, container.resources?.limits) < COUNTED.length) guaranteed = false;
    }
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const met = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
  return guaranteed && met && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

function hasAny(resources: ResourceRequirements): boolean {
  return Object.keys(resources.limits ?? {}).length > 0;
}

/** Adds amounts above zero, and returns the number of their resources. */
function addTo(sums: Sums, list: Readonly<Record<string, string>> | undefined): number {
  let found = 0;
  for (const name of COUNTED) {
    const amount = quantityAt(list?.[name]);
    if (amount.sign() <= 0) continue;
    found++;
    sums.set(name, sums.get(name)?.add(amount) ?? amount);
  }
  return found;
}
