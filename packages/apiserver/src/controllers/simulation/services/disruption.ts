// The status of PodDisruptionBudgets: how many pods may be evicted now. Upstream: kubernetes pkg/controller/disruption.

import { semanticEqual } from "@celadon/base";
import type { Pod } from "@celadon/kube/api/core-v1";
import type { PodDisruptionBudget } from "@celadon/kube/api/policy-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { withCondition } from "../frame/conditions.ts";
import { isFinished, isReady } from "../frame/pods.ts";
import { controllerOf, isDeleted, keyOf, metaOf, StandIn, timeOf } from "../frame/stand-in.ts";
import type { Kind, World } from "../frame/world.ts";
import { shareOf } from "../workloads/rollout.ts";

const KIND = "poddisruptionbudgets.policy";
/** Evicted pods that are not deleted by then are counted again. */
const EVICTION_MS = 120_000;

const SCALED: Readonly<Record<string, Kind>> = {
  ReplicaSet: "replicasets.apps",
  ReplicationController: "replicationcontrollers",
  StatefulSet: "statefulsets.apps",
  Deployment: "deployments.apps",
};

/** The number of pods that should be healthy, and of all that are expected. */
interface Demand {
  readonly expected: number;
  readonly healthy: number;
}

export class DisruptionStandIn extends StandIn<typeof KIND> {
  readonly name = "disruption";

  constructor(world: World) {
    super(world, KIND, world.controller("disruption-controller"));
  }

  protected override followOthers(): void {
    const inNamespaceOf = (object: object | undefined): void => {
      for (const budget of this.world.view(KIND).in(metaOf(object).namespace ?? "")) this.add(keyOf(budget));
    };
    this.world.view("pods").follow((now, before) => inNamespaceOf(now ?? before));
    for (const kind of Object.values(SCALED))
      this.world.view(kind).follow((now, before) => inNamespaceOf(now ?? before));
  }

  protected async look(budget: PodDisruptionBudget): Promise<void> {
    if (isDeleted(budget)) return;
    const pods = this.#pods(budget);
    const { now } = this.world;
    const demand = this.#demand(budget, pods);
    const disrupted = new Map(
      Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, time]) => {
        const pod = pods.find((one) => metaOf(one).name === name);
        return pod !== undefined && !isDeleted(pod) && now < timeOf(time as string) + EVICTION_MS;
      }),
    );
    if (disrupted.size > 0) this.again(budget, EVICTION_MS);
    const healthy = pods.filter(
      (pod) => isReady(pod) && !isDeleted(pod) && !disrupted.has(metaOf(pod).name ?? ""),
    ).length;
    const allowed = demand === undefined ? 0 : demand.expected === 0 ? 0 : Math.max(0, healthy - demand.healthy);
    const [status, reason] =
      demand === undefined
        ? ["False", "SyncFailed"]
        : allowed > 0
          ? ["True", "SufficientPods"]
          : ["False", "InsufficientPods"];
    const condition = {
      type: "DisruptionAllowed",
      status,
      reason,
      message: demand === undefined ? "found no controller ref for a pod" : "",
      observedGeneration: metaOf(budget).generation,
    };
    const next = {
      ...(disrupted.size > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
      observedGeneration: metaOf(budget).generation,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: demand?.healthy ?? 0,
      expectedPods: demand?.expected ?? 0,
      conditions: withCondition(budget.status?.conditions, condition, this.world.time()),
    };
    if (semanticEqual(next, budget.status)) return;
    if (!(await this.actor.update(KIND, { ...budget, status: next } as PodDisruptionBudget, "status")))
      this.again(budget, 10);
  }

  #pods(budget: PodDisruptionBudget): readonly Pod[] {
    const selector = toLabelSelector(budget.spec?.selector as Parameters<typeof toLabelSelector>[0]);
    if (selector instanceof Invalid) return [];
    return this.world
      .view("pods")
      .in(metaOf(budget).namespace ?? "")
      .filter(
        (pod) =>
          !isFinished(pod) && selector.matches(metaOf(pod).labels as Readonly<Record<string, string>> | undefined),
      );
  }

  /** Undefined where shares are asked of pods whose number nobody says. */
  #demand({ spec }: PodDisruptionBudget, pods: readonly Pod[]): Demand | undefined {
    if (spec?.maxUnavailable != null) {
      const expected = this.#expected(pods);
      if (expected === undefined) return undefined;
      return { expected, healthy: Math.max(0, expected - shareOf(spec.maxUnavailable, expected, Math.ceil)) };
    }
    const least = spec?.minAvailable ?? 1;
    if (typeof least === "number") return { expected: pods.length, healthy: least };
    const expected = this.#expected(pods);
    return expected === undefined ? undefined : { expected, healthy: shareOf(least, expected, Math.ceil) };
  }

  /** The replicas that the controllers of the pods ask for. */
  #expected(pods: readonly Pod[]): number | undefined {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const { namespace = "" } = metaOf(pod);
      let owner = controllerOf(pod);
      let object = this.#scaled(namespace, owner);
      const above = object && controllerOf(object);
      if (above?.kind === "Deployment") {
        owner = above;
        object = this.#scaled(namespace, above) ?? object;
      }
      const replicas = (object as { readonly spec?: { readonly replicas?: number } } | undefined)?.spec?.replicas;
      if (owner === undefined || object === undefined) return undefined;
      scales.set(owner.uid ?? "", replicas ?? 1);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  #scaled(namespace: string, owner: ReturnType<typeof controllerOf>): object | undefined {
    const kind = SCALED[owner?.kind ?? ""];
    const object = kind && this.world.view(kind).get(namespace, owner?.name ?? "");
    return object && metaOf(object).uid === owner?.uid ? object : undefined;
  }
}
