// Adds up the needs of a pod's containers: containers and sidecars at once, each init container alone beside the sidecars started before
// it.

import type { Container, PodSpec, ResourceRequirements } from "../../../../api/generated/core-v1.ts";
import type { Quantity } from "../../../../quantity/quantity.ts";
import { quantityAt } from "../../../checks/quantities.ts";

type Sums = Map<string, Quantity>;
type Part = (resources: ResourceRequirements) => Readonly<Record<string, string>> | undefined;

export function aggregateRequests(spec: PodSpec): ReadonlyMap<string, Quantity> {
  return aggregate(spec, (resources) => resources.requests);
}

export function aggregateLimits(spec: PodSpec): ReadonlyMap<string, Quantity> {
  return aggregate(spec, (resources) => resources.limits);
}

/** An init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

function aggregate(spec: PodSpec, part: Part): Sums {
  const total: Sums = new Map();
  for (const container of spec.containers ?? []) addTo(total, amounts(container, part));
  const sidecars: Sums = new Map();
  const starting: Sums = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container, part);
    if (isSidecar(container)) {
      addTo(total, own);
      addTo(sidecars, own);
      maxInto(starting, sidecars);
    } else {
      const beside: Sums = new Map(own);
      addTo(beside, sidecars);
      maxInto(starting, beside);
    }
  }
  maxInto(total, starting);
  return total;
}

function amounts(container: Container, part: Part): Sums {
  const given = part(container.resources ?? {}) ?? {};
  return new Map(Object.keys(given).map((name) => [name, quantityAt(given[name])]));
}

function addTo(sums: Sums, more: Sums): void {
  for (const [name, amount] of more) sums.set(name, sums.get(name)?.add(amount) ?? amount);
}

function maxInto(sums: Sums, others: Sums): void {
  for (const [name, amount] of others) {
    const known = sums.get(name);
    if (known === undefined || amount.compare(known) > 0) sums.set(name, amount);
  }
}
