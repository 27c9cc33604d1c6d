// Whether a request fits into the quotas of its namespace, and their usage after it. Upstream: apiserver
// pkg/admission/plugin/resourcequota/controller.go.

import type { AdmissionRequest } from "@celadon/admission";
import type { KubeObject, Quantity } from "@celadon/kube";
import type { ResourceQuota, ScopedResourceSelectorRequirement as Scope } from "@celadon/kube/api/core-v1";
import { type Evaluator, evaluatorOf } from "./evaluators.ts";
import { add, type Quantities, quantitiesOf, type ResourceList } from "./pod-resources.ts";

export type Checked =
  /** Quotas whose usage the request changes, with the new usage. */
  { readonly changed: ReadonlyMap<ResourceQuota, Quantities> } | { readonly problem: string };

const UNCHANGED: Checked = { changed: new Map() };

export function checkQuotas(quotas: readonly ResourceQuota[], request: AdmissionRequest, now: number): Checked {
  const evaluator = evaluatorOf(request.resource);
  if (!evaluator.handles(request)) return UNCHANGED;
  const object = request.object as KubeObject;
  const matching: ResourceQuota[] = [];
  for (const quota of quotas) {
    if (!isCounted(quota, evaluator, object)) continue;
    const name = quota.metadata?.name ?? "";
    const restricted = evaluator.matching(Object.keys(quota.status?.hard ?? {}));
    const problem = evaluator.problem(restricted, object);
    if (problem !== undefined) return { problem: `failed quota: ${name}: ${problem}` };
    const used = quota.status?.used ?? {};
    if (!restricted.every((resource) => Object.hasOwn(used, resource))) {
      return { problem: `status unknown for quota: ${name}, resources: ${[...restricted].sort().join(",")}` };
    }
    matching.push(quota);
  }
  if (matching.length === 0) return UNCHANGED;
  const usage = evaluator.usage(object, now);
  const negative = [...usage].filter(([, quantity]) => quantity.sign() < 0).map(([name]) => name);
  if (negative.length > 0) return { problem: `quota usage is negative for resource(s): ${negative.sort().join(",")}` };
  const old = request.operation === "UPDATE" ? (request.oldObject ?? undefined) : undefined;
  const growth = old === undefined ? usage : grown(usage, evaluator.usage(old, now));
  const changed = new Map<ResourceQuota, Quantities>();
  for (const quota of matching) {
    const wasCounted = old !== undefined && isCounted(quota, evaluator, old);
    const more = [...(wasCounted ? growth : usage)].filter(([, quantity]) => !quantity.isZero());
    const problem = charge(quota, new Map(more), request.subresource === "status", changed);
    if (problem !== undefined) return { problem };
  }
  return { changed };
}

/** The problem, or undefined when the quota has room; then it is among the changed ones. */
function charge(
  quota: ResourceQuota,
  delta: Quantities,
  isStatus: boolean,
  changed: Map<ResourceQuota, Quantities>,
): string | undefined {
  const hard = quantitiesOf(quota.status?.hard as ResourceList | undefined);
  const used = quantitiesOf(quota.status?.used as ResourceList | undefined);
  const requested: Quantities = new Map([...delta].filter(([name]) => hard.has(name)));
  if (requested.size === 0) return undefined;
  const next = new Map(used);
  add(next, requested);
  const exceeded = [...requested.keys()].filter((name) => next.get(name)!.compare(hard.get(name)!) > 0).sort();
  if (exceeded.length > 0 && !isStatus) {
    const list = (from: ReadonlyMap<string, Quantity>): string =>
      exceeded.map((name) => `${name}=${from.get(name) ?? 0}`).join(",");
    const name = quota.metadata?.name ?? "";
    return `exceeded quota: ${name}, requested: ${list(requested)}, used: ${list(used)}, limited: ${list(hard)}`;
  }
  changed.set(quota, next);
  return undefined;
}

function grown(usage: Quantities, before: Quantities): Quantities {
  return new Map(
    [...usage].map(([name, quantity]) => {
      const old = before.get(name);
      const delta = old === undefined ? quantity : quantity.sub(old);
      return [name, delta.sign() < 0 ? quantity.sub(quantity) : delta];
    }),
  );
}

/** Whether an object is one of those a quota counts. */
function isCounted(quota: ResourceQuota, evaluator: Evaluator, object: KubeObject): boolean {
  if (evaluator.matching(Object.keys(quota.status?.hard ?? {})).length === 0) return false;
  return inScope(quota, evaluator, object);
}

function inScope({ spec }: ResourceQuota, evaluator: Evaluator, object: KubeObject): boolean {
  const scopes: readonly Scope[] = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
  return scopes.every((scope) => evaluator.matchesScope(scope, object));
}

/** The use of a quota by the objects of a namespace, for each name it limits. */
export function usageOf(
  quota: ResourceQuota,
  objects: ReadonlyMap<string, readonly KubeObject[]>,
  now: number,
): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {});
  const used: Quantities = new Map(names.map((name) => [name, quantitiesOf({ zero: "0" }).get("zero")!]));
  for (const [resource, all] of objects) {
    const dot = resource.indexOf(".");
    const of =
      dot === -1 ? { group: "", resource } : { group: resource.slice(dot + 1), resource: resource.slice(0, dot) };
    const evaluator = evaluatorOf(of);
    const own = new Set(evaluator.matching(names));
    for (const object of all) {
      if (!inScope(quota, evaluator, object)) continue;
      const usage = evaluator.usage(object, now);
      add(used, new Map([...usage].filter(([name]) => own.has(name))));
    }
  }
  return Object.fromEntries([...used].map(([name, quantity]) => [name, String(quantity)]));
}
