// Resources of a whole pod, if it has some: huge pages get the sum of the containers' limits, requests the sum of the containers' requests,
// or else the pod's limits. k8s.io/kubernetes pkg/apis/core/v1, k8s.io/component-helpers/resource.

import { isInvalid } from "../invalid.ts";
import { parseQuantity, type Quantity } from "../quantity/quantity.ts";
import { isStruct, ofObject, type Rule, type Struct } from "./rules.ts";

type Amounts = Map<string, Quantity>;

export const podResources: Rule = ofObject((spec, by) => {
  const given = spec.resources;
  if (!isStruct(given) || !by.enables("PodLevelResources")) return;
  const limits = textsOf(given.limits);
  const requests = textsOf(given.requests);
  if (limits.size === 0 && requests.size === 0) return;

  for (const [name, amount] of together(spec, "limits")) {
    if (isHugePages(name) && !requests.has(name) && !limits.has(name)) limits.set(name, amount.toString());
  }
  if (limits.size > 0) given.limits = sorted(limits);
  const isCompleted = by.enables("PodLevelResourcesFixDefaulting");
  if (limits.size === 0 && !isCompleted) return;

  for (const [name, amount] of together(spec, "requests")) {
    if (!requests.has(name) && (name === "cpu" || name === "memory")) requests.set(name, amount.toString());
  }
  for (const [name, amount] of limits) {
    if (!requests.has(name) && isOfPods(name)) requests.set(name, amount);
  }
  if (requests.size > 0) given.requests = sorted(requests);
  if (isCompleted) completeLimits(spec, given, requests, limits);
});

/** A limit for a requested resource, if every container has one: their sum, or the request if that is more. */
function completeLimits(
  spec: Struct,
  given: Struct,
  requests: ReadonlyMap<string, string>,
  limits: Map<string, string>,
): void {
  const containers = [...containersOf(spec.containers), ...containersOf(spec.initContainers)].map((container) =>
    amountsOf(container, "limits"),
  );
  const all = together(spec, "limits");
  for (const [name, text] of requests) {
    const limit = all.get(name);
    if (limits.has(name) || !isOfPods(name) || limit === undefined) continue;
    if (!containers.every((own) => own.has(name))) continue;
    const request = parseQuantity(text);
    limits.set(name, !isInvalid(request) && request.compare(limit) > 0 ? text : limit.toString());
  }
  if (limits.size > 0) given.limits = sorted(limits);
}

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function isOfPods(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

function textsOf(list: unknown): Map<string, string> {
  return new Map(isStruct(list) ? (Object.entries(list) as [string, string][]) : []);
}

function sorted(list: ReadonlyMap<string, string>): Struct {
  return Object.fromEntries([...list].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All containers at once, or the largest of what initial ones need before them; sidecars run with both. */
function together(spec: Struct, field: "limits" | "requests"): Amounts {
  const all: Amounts = new Map();
  for (const container of containersOf(spec.containers)) add(all, amountsOf(container, field));
  const sidecars: Amounts = new Map();
  const initial: Amounts = new Map();
  for (const container of containersOf(spec.initContainers)) {
    const own = amountsOf(container, field);
    if (container.restartPolicy === "Always") {
      add(all, own);
      add(sidecars, own);
      raise(initial, sidecars);
    } else {
      const withSidecars = new Map(own);
      add(withSidecars, sidecars);
      raise(initial, withSidecars);
    }
  }
  raise(all, initial);
  return all;
}

function containersOf(list: unknown): readonly Struct[] {
  return Array.isArray(list) ? list.filter(isStruct) : [];
}

function amountsOf(container: Struct, field: "limits" | "requests"): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, text] of textsOf(isStruct(container.resources) ? container.resources[field] : undefined)) {
    const amount = parseQuantity(text);
    if (!isInvalid(amount)) amounts.set(name, amount);
  }
  return amounts;
}

function add(to: Amounts, more: Amounts): void {
  for (const [name, amount] of more) to.set(name, to.get(name)?.add(amount) ?? amount);
}

function raise(to: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const before = to.get(name);
    if (before === undefined || amount.compare(before) > 0) to.set(name, amount);
  }
}
