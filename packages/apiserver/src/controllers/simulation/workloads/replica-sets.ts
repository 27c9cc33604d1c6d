// ReplicaSets and ReplicationControllers: as many pods as they ask for. Upstream: kubernetes pkg/controller/replicaset.

import { semanticEqual } from "@celadon/base";
import type { ReplicaSet } from "@celadon/kube/api/apps-v1";
import type { Pod, ReplicationController } from "@celadon/kube/api/core-v1";
import type { LabelSelector } from "@celadon/kube/api/meta-v1";
import { RequestRefused } from "../../controller.ts";
import { withCondition, withoutCondition } from "../frame/conditions.ts";
import { claim } from "../frame/owned.ts";
import { byDeletion, isActive, isFinished, isReady, podOf, untilAvailable } from "../frame/pods.ts";
import { controllerOf, isDeleted, matcher, metaOf, ownerReference, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";

/** At most as many pods are created or deleted before the object is looked at again. */
const BURST = 500;
const FAILURE = "ReplicaFailure";

type Replicated = ReplicaSet | ReplicationController;

interface Form {
  readonly kind: "replicasets.apps" | "replicationcontrollers";
  readonly apiVersion: string;
  readonly name: string;
  readonly controller: string;
  readonly account: string;
}

const REPLICA_SETS: Form = {
  kind: "replicasets.apps",
  apiVersion: "apps/v1",
  name: "ReplicaSet",
  controller: "replicaset",
  account: "replicaset-controller",
};
const REPLICATION_CONTROLLERS: Form = {
  kind: "replicationcontrollers",
  apiVersion: "v1",
  name: "ReplicationController",
  controller: "replicationcontroller",
  account: "replication-controller",
};

class ReplicaStandIn extends StandIn<"replicasets.apps" | "replicationcontrollers"> {
  readonly name: string;
  readonly #form: Form;

  constructor(world: World, form: Form) {
    super(world, form.kind, world.controller(form.account));
    this.name = form.controller;
    this.#form = form;
  }

  protected override followOthers(): void {
    this.followOwned("pods", this.#form.name, (set, pod) => matches(set, pod));
  }

  protected async look(set: Replicated): Promise<void> {
    const { apiVersion, name } = this.#form;
    const candidates = this.world.view("pods").in(metaOf(set).namespace ?? "");
    const owner = { apiVersion, kind: name, object: set, matches: (pod: object) => matches(set, pod) };
    const claimed = await claim(
      this.actor,
      "pods",
      owner,
      candidates.filter((pod) => !isFinished(pod)),
    );
    let refused: RequestRefused | undefined;
    if (!isDeleted(set)) refused = await this.#scale(set, claimed.filter(isActive));
    await this.#report(set, refused);
    if (refused !== undefined && !isEnding(refused)) throw refused;
  }

  async #scale(set: Replicated, active: readonly Pod[]): Promise<RequestRefused | undefined> {
    const { apiVersion, name } = this.#form;
    const missing = (set.spec?.replicas ?? 1) - active.length;
    const about = { ...set, kind: name, apiVersion };
    try {
      for (let i = 0; i < Math.min(missing, BURST); i++) {
        const body = podOf(set.spec?.template, ownerReference(apiVersion, name, set));
        const pod = await this.actor.create("pods", metaOf(set).namespace ?? "", body);
        await this.actor.event(about, "Normal", "SuccessfulCreate", `Created pod: ${metaOf(pod).name}`);
      }
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      if (!isEnding(error))
        await this.actor.event(about, "Warning", "FailedCreate", `Error creating: ${error.message}`);
      return error;
    }
    if (missing >= 0) return undefined;
    for (const pod of byDeletion(active, this.world.now, this.#related(set)).slice(0, Math.min(-missing, BURST))) {
      if (await this.actor.delete("pods", pod))
        await this.actor.event(about, "Normal", "SuccessfulDelete", `Deleted pod: ${metaOf(pod).name}`);
    }
    return undefined;
  }

  /** The active pods on each node of all sets of the same controller: crowded nodes are relieved first. */
  #related(set: Replicated): ReadonlyMap<string, number> {
    const { namespace = "" } = metaOf(set);
    const { uid } = controllerOf(set) ?? {};
    const sets = this.world.view(this.#form.kind).in(namespace);
    const related = new Set(
      sets
        .filter((other) => other === set || (uid && controllerOf(other)?.uid === uid))
        .map((other) => metaOf(other).uid),
    );
    const counts = new Map<string, number>();
    for (const pod of this.world.view("pods").in(namespace)) {
      const node = pod.spec?.nodeName;
      if (node && isActive(pod) && related.has(controllerOf(pod)?.uid)) counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    return counts;
  }

  async #report(given: Replicated, refused: RequestRefused | undefined): Promise<void> {
    const { namespace = "", name = "", generation, uid } = metaOf(given);
    const set = this.world.view(this.#form.kind).get(namespace, name);
    if (set === undefined || metaOf(set).uid !== uid) return;
    const own = this.world
      .view("pods")
      .in(namespace)
      .filter((pod) => controllerOf(pod)?.uid === uid && !isFinished(pod));
    const active = own.filter(isActive);
    const { now } = this.world;
    const waits = active.map((pod) => untilAvailable(pod, set.spec?.minReadySeconds, now));
    const labels = Object.entries(set.spec?.template?.metadata?.labels ?? {});
    const conditions = set.status?.conditions ?? [];
    const failure = refused &&
      !isEnding(refused) && { type: FAILURE, status: "True", reason: "FailedCreate", message: refused.message };
    // The message names another pod each time, which is no news.
    const isKnown = conditions.some((known) => known.type === FAILURE && known.status === "True");
    const kept = failure
      ? isKnown
        ? conditions
        : withCondition(conditions, failure, this.world.time())
      : active.length === (set.spec?.replicas ?? 1)
        ? withoutCondition(conditions, FAILURE)
        : conditions;
    const status = {
      ...set.status,
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) => labels.every(([key, value]) => metaOf(pod).labels?.[key] === value))
        .length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: waits.filter((wait) => wait === 0).length,
      ...(this.#form.kind === "replicasets.apps" && { terminatingReplicas: own.length - active.length }),
      observedGeneration: generation,
      conditions: kept,
    };
    const next = Math.min(...waits.filter((wait) => wait > 0 && Number.isFinite(wait)));
    if (Number.isFinite(next)) this.again(set, next);
    if (semanticEqual(status, { conditions: [], ...set.status })) return;
    if (!(await this.actor.update(this.#form.kind, { ...set, status } as Replicated, "status"))) this.again(set, 10);
  }
}

/** The namespace ends, so that nothing can be created in it any more. */
const isEnding = ({ code, message }: RequestRefused): boolean =>
  code === 404 || (code === 403 && message.includes("because it is being terminated"));

/** ReplicationControllers select by labels alone. */
function matches({ spec }: Replicated, pod: object): boolean {
  const { selector } = spec ?? {};
  if (selector == null) return false;
  const isLabels = Object.values(selector).every((value) => typeof value === "string");
  return matcher((isLabels ? { matchLabels: selector } : selector) as LabelSelector)(pod);
}

export const replicaSets = (world: World): ReplicaStandIn => new ReplicaStandIn(world, REPLICA_SETS);
export const replicationControllers = (world: World): ReplicaStandIn =>
  new ReplicaStandIn(world, REPLICATION_CONTROLLERS);
