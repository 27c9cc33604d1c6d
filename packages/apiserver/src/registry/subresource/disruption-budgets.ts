// Disruption budgets: whether a running pod may be evicted, and the effect of its eviction on the budget. Upstream: kubernetes
// pkg/registry/core/pod/storage/eviction.go.

import { type KubeObject, labelsOf, namespaceOf } from "@celadon/kube";
import type { Pod } from "@celadon/kube/api/core-v1";
import type { PodDisruptionBudget } from "@celadon/kube/api/policy-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { failure, forbidden, type Status, tooManyRequests } from "@celadon/kube/status";
import { type Draft, draftOf, timestamp } from "@celadon/write";
import type { WriteOptions } from "../../codec/write-options.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { applyChange } from "../update.ts";

const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Evictions that the disruption controller has not seen yet. */
const MAX_UNCONFIRMED = 2000;

type Condition = NonNullable<NonNullable<PodDisruptionBudget["status"]>["conditions"]>[number];

/**
 * Takes one disruption from the budget of a pod. The budget's name is returned when nothing was taken because the pod is not ready: then it
 * may be evicted as it is now. Throws a StatusError when the budget does not allow the eviction.
 */
export async function takeDisruption(
  services: Services,
  exchange: Exchange,
  pod: KubeObject,
  options: WriteOptions,
): Promise<string | undefined> {
  const budgets = services.kinds.resource("policy", "v1", "poddisruptionbudgets")!;
  const handler = services.handler(budgets);
  await services.objects.current(handler.cache);
  const [from, to] = handler.cache.range(`${budgets.storage.prefix}${namespaceOf(pod)}/`);
  const [found, ...others] = handler.cache
    .all()
    .slice(from, to)
    .filter(({ object }) => selects(object, pod));
  if (found === undefined) return undefined;
  if (others.length > 0) {
    const text = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw new StatusError(failure(undefined, text));
  }
  if (!isReady(pod as Pod) && isFree(found.object as PodDisruptionBudget)) return found.name;
  const { name = "" } = pod.metadata ?? {};
  const next = (live: KubeObject | undefined): Draft => {
    const budget = live as PodDisruptionBudget;
    const refusal = refusalOf(budget);
    if (refusal !== undefined) throw new StatusError(refusal);
    const draft = draftOf({ ...live!, status: statusAfter(budget, name, timestamp(services.now())) });
    return services.ownership.update(live, draft, { name: "celadon", resource: budgets, subresource: "status" });
  };
  const place = { ...exchange, resource: budgets, subresource: "status", name: found.name };
  await applyChange(services, handler, place, { options, allowCreate: false, uid: undefined, isInternal: true, next });
  return undefined;
}

function selects(budget: KubeObject, pod: KubeObject): boolean {
  const selector = toLabelSelector((budget.spec as { selector?: never } | undefined)?.selector);
  return !(selector instanceof Invalid) && selector.matches(labelsOf(pod));
}

const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === "Ready" && condition.status === "True");

/** Pods that are not ready disrupt nothing while enough others are. */
function isFree({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** While it is not known whether the budget allows it. */
export function stillProcessed(budget: string): Status {
  const message = `The disruption budget ${budget} is still being processed by the server.`;
  return withCause(tooManyRequests(REFUSAL, 10), message);
}

function refusalOf({ metadata, status = {} }: PodDisruptionBudget): Status | undefined {
  const { name = "", generation = 0 } = metadata ?? {};
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  const what = { group: "policy", resource: "poddisruptionbudget" };
  if (observedGeneration < generation) return stillProcessed(name);
  if (disruptionsAllowed < 0) return forbidden(what, name, "pdb disruptions allowed is negative");
  if (Object.keys(disruptedPods).length > MAX_UNCONFIRMED) {
    const text = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    return forbidden(what, name, text);
  }
  return disruptionsAllowed === 0 ? withCause(failure("TooManyRequests", REFUSAL), exhausted(name, status)) : undefined;
}

function withCause(status: Status, message: string): Status {
  return { ...status, details: { ...status.details, causes: [{ reason: "DisruptionBudget", message }] } };
}

function exhausted(name: string, status: NonNullable<PodDisruptionBudget["status"]>): string {
  const { conditions = [], currentHealthy = 0, desiredHealthy = 0 } = status;
  const condition = conditions.find(({ type }) => type === "DisruptionAllowed");
  const why = condition?.status === "False" ? (condition.message ?? "") : "";
  const text = `The disruption budget ${name} does not allow evicting pods currently`;
  if (why !== "" && condition?.reason === "SyncFailed") return `${text} because it failed sync: ${why}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return why === "" ? text : `${text} (${condition?.reason}): ${why}`;
}

/** The disruption controller does not count the pod until it is gone. */
function statusAfter({ status = {} }: PodDisruptionBudget, pod: string, now: string): object {
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  return {
    ...status,
    disruptedPods: { ...status.disruptedPods, [pod]: now },
    disruptionsAllowed,
    ...(disruptionsAllowed === 0 && { conditions: withoutDisruptions(status, now) }),
  };
}

function withoutDisruptions(status: NonNullable<PodDisruptionBudget["status"]>, now: string): readonly Condition[] {
  const { conditions = [], observedGeneration = 0 } = status;
  const before = conditions.find(({ type }) => type === "DisruptionAllowed");
  const condition: Condition = {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration,
    lastTransitionTime: before?.status === "False" ? before.lastTransitionTime : now,
    reason: "InsufficientPods",
    message: "",
  };
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((other) => (other === before ? condition : other));
}
