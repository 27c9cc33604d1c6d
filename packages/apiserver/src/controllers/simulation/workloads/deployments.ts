// Deployments: a ReplicaSet per template, and pods moved from the old ones to the new one. Upstream: kubernetes pkg/controller/deployment.

import { semanticEqual } from "@celadon/base";
import type { Deployment, DeploymentCondition, ReplicaSet } from "@celadon/kube/api/apps-v1";
import type { PodTemplateSpec } from "@celadon/kube/api/core-v1";
import { RequestRefused } from "../../controller.ts";
import { conditionOf } from "../frame/conditions.ts";
import { claim } from "../frame/owned.ts";
import { isFinished } from "../frame/pods.ts";
import { controllerOf, isDeleted, matcher, metaOf, ownerReference, StandIn } from "../frame/stand-in.ts";
import { templateHash } from "../frame/template-hash.ts";
import type { World } from "../frame/world.ts";
import { deploymentStatus, untilDeadline } from "./deployment-status.ts";
import {
  annotatedSize,
  annotationsFor,
  isRolling,
  isSaturated,
  mostReplicas,
  newSize,
  proportions,
  REVISION,
  replicasOf,
  revisionOf,
  shrinkOld,
  sizeAnnotations,
} from "./rollout.ts";

const SETS = "replicasets.apps";
const HASH = "pod-template-hash";

/** The sets of a Deployment: the one of its template, and those of former ones. */
interface Sets {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

export class DeploymentStandIn extends StandIn<"deployments.apps"> {
  readonly name = "deployment";

  constructor(world: World) {
    super(world, "deployments.apps", world.controller("deployment-controller"));
  }

  protected override followOthers(): void {
    this.followOwned(SETS, "Deployment", ({ spec }, set) => matcher(spec?.selector)(set));
    // A Recreate waits for the last of the old pods.
    this.world.view("pods").follow((now, pod) => {
      if (now !== undefined && !isFinished(now)) return;
      const { namespace = "" } = metaOf(pod ?? now);
      const owner = controllerOf(pod ?? now ?? {});
      const set = this.world.view(SETS).get(namespace, owner?.name ?? "");
      const deployment = set && controllerOf(set);
      if (deployment !== undefined) this.add(`${namespace}/${deployment.name}`);
    });
  }

  protected async look(deployment: Deployment): Promise<void> {
    const { namespace = "" } = metaOf(deployment);
    const owner = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      object: deployment,
      matches: matcher(deployment.spec?.selector),
    };
    await claim(this.actor, SETS, owner, this.world.view(SETS).in(namespace));
    if (isDeleted(deployment)) return this.#report(deployment);
    const isScaled = this.#active(deployment).some((set) => {
      const desired = annotatedSize(set, "desired");
      return desired !== undefined && desired !== replicasOf(deployment);
    });
    if (deployment.spec?.paused === true || isScaled) await this.#scaleAll(deployment);
    else if (isRolling(deployment)) await this.#roll(deployment);
    else await this.#recreate(deployment);
    await this.#cleanUp(deployment);
    await this.#report(deployment);
  }

  /** The sets it controls, as they are now. */
  #sets(deployment: Deployment): Sets {
    const { namespace = "", uid } = metaOf(deployment);
    const own = this.world
      .view(SETS)
      .in(namespace)
      .filter((set) => controllerOf(set)?.uid === uid);
    const same = own.filter((set) => hasTemplate(set, deployment.spec?.template));
    const [current] = same.sort((a, b) =>
      (metaOf(a).creationTimestamp ?? "") < (metaOf(b).creationTimestamp ?? "") ? -1 : 1,
    );
    return { current, old: own.filter((set) => set !== current) };
  }

  #active(deployment: Deployment): readonly ReplicaSet[] {
    const { current, old } = this.#sets(deployment);
    return [...(current === undefined ? [] : [current]), ...old].filter((set) => replicasOf(set) > 0);
  }

  async #roll(deployment: Deployment): Promise<void> {
    await this.#ensureCurrent(deployment);
    let { current, old } = this.#sets(deployment);
    if (current === undefined) return;
    const size = newSize(deployment, [current, ...old], current);
    if (size !== replicasOf(current)) return this.#resize(deployment, current, size);
    ({ current, old } = this.#sets(deployment));
    if (current === undefined) return;
    for (const [set, less] of shrinkOld(deployment, [current, ...old], old, current))
      await this.#resize(deployment, set, less);
  }

  async #recreate(deployment: Deployment): Promise<void> {
    const { current, old } = this.#sets(deployment);
    for (const set of old) await this.#resize(deployment, set, 0);
    const former = new Set(old.map((set) => metaOf(set).uid));
    const pods = this.world.view("pods").in(metaOf(deployment).namespace ?? "");
    if (pods.some((pod) => former.has(controllerOf(pod)?.uid) && !isFinished(pod))) return;
    await this.#ensureCurrent(deployment);
    const made = current ?? this.#sets(deployment).current;
    if (made !== undefined) await this.#resize(deployment, made, replicasOf(deployment));
  }

  /** While it is paused, or was just scaled, all sets change together and no new one is made. */
  async #scaleAll(deployment: Deployment): Promise<void> {
    const { current, old } = this.#sets(deployment);
    const active = this.#active(deployment);
    if (active.length <= 1) {
      const newest = current ?? [...old].sort((a, b) => revisionOf(b) - revisionOf(a))[0];
      const only = active[0] ?? newest;
      if (only !== undefined) await this.#resize(deployment, only, replicasOf(deployment));
      return;
    }
    if (isSaturated(deployment, current)) {
      for (const set of old) await this.#resize(deployment, set, 0);
      return;
    }
    if (!isRolling(deployment)) return;
    for (const [set, size] of proportions(deployment, active)) await this.#resize(deployment, set, size);
  }

  async #resize(deployment: Deployment, set: ReplicaSet, size: number): Promise<void> {
    const before = replicasOf(set);
    const annotations = sizeAnnotations(deployment);
    const isAnnotated = Object.entries(annotations).every(([key, value]) => metaOf(set).annotations?.[key] === value);
    if (before === size && (isAnnotated || size === 0)) return;
    const isDone = await this.actor.patch(SETS, set, { metadata: { annotations }, spec: { replicas: size } });
    if (!isDone || before === size) return;
    const verb = size > before ? "up" : "down";
    const text = `Scaled ${verb} replica set ${metaOf(set).name} from ${before} to ${size}`;
    await this.actor.event(
      { ...deployment, kind: "Deployment", apiVersion: "apps/v1" },
      "Normal",
      "ScalingReplicaSet",
      text,
    );
  }

  /** The set of the template exists, and is the latest revision. */
  async #ensureCurrent(deployment: Deployment): Promise<void> {
    const { current, old } = this.#sets(deployment);
    const revision = Math.max(0, ...old.map(revisionOf)) + 1;
    if (current === undefined) return this.#create(deployment, old, revision);
    const wanted = Math.max(revisionOf(current), revision);
    const annotations = annotationsFor(deployment, current, wanted);
    const { minReadySeconds = 0 } = deployment.spec ?? {};
    if (
      !semanticEqual(annotations, metaOf(current).annotations) ||
      (current.spec?.minReadySeconds ?? 0) !== minReadySeconds
    )
      await this.actor.patch(SETS, current, { metadata: { annotations }, spec: { minReadySeconds } });
    await this.#number(deployment, wanted);
  }

  async #create(deployment: Deployment, old: readonly ReplicaSet[], revision: number): Promise<void> {
    const { namespace = "", name } = metaOf(deployment);
    const { template, selector, minReadySeconds, replicas } = deployment.spec ?? {};
    const hash = templateHash(template, deployment.status?.collisionCount);
    const labels = { ...template?.metadata?.labels, [HASH]: hash };
    const room = Math.max(0, mostReplicas(deployment) - old.reduce((sum, set) => sum + replicasOf(set), 0));
    const body = {
      metadata: {
        name: `${name}-${hash}`,
        labels,
        annotations: annotationsFor(deployment, undefined, revision),
        ownerReferences: [ownerReference("apps/v1", "Deployment", deployment)],
      },
      spec: {
        replicas: isRolling(deployment) ? Math.min(replicas ?? 1, room) : (replicas ?? 1),
        minReadySeconds,
        selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH]: hash } },
        template: { ...template, metadata: { ...template?.metadata, labels } },
      },
    };
    try {
      const set = await this.actor.create(SETS, namespace, body);
      const about = { ...deployment, kind: "Deployment", apiVersion: "apps/v1" };
      const text = `Scaled up replica set ${metaOf(set).name} from 0 to ${replicasOf(set)}`;
      if (replicasOf(set) > 0) await this.actor.event(about, "Normal", "ScalingReplicaSet", text);
    } catch (error) {
      if (!(error instanceof RequestRefused) || error.code !== 409) throw error;
      // Another template has the same hash.
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      await this.actor.update(
        this.kind,
        { ...deployment, status: { ...deployment.status, collisionCount } } as Deployment,
        "status",
      );
      return;
    }
    await this.#number(deployment, revision);
  }

  /** The Deployment has the revision of its newest set. */
  async #number(deployment: Deployment, revision: number): Promise<void> {
    if (revisionOf(deployment) === revision) return;
    const annotations = { ...metaOf(deployment).annotations, [REVISION]: String(revision) };
    await this.actor.update(this.kind, { ...deployment, metadata: { ...metaOf(deployment), annotations } });
  }

  /** Empty sets beyond the history are deleted, the oldest first. */
  async #cleanUp(deployment: Deployment): Promise<void> {
    const { current, old } = this.#sets(deployment);
    const limit = deployment.spec?.revisionHistoryLimit ?? 10;
    if (deployment.spec?.paused === true || !isComplete(deployment, current, old)) return;
    const empty = old.filter((set) => replicasOf(set) === 0 && !set.status?.replicas && !isDeleted(set));
    const surplus = old.filter((set) => !isDeleted(set)).length - limit;
    for (const set of [...empty].sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, surplus)))
      await this.actor.delete(SETS, set);
  }

  async #report(given: Deployment): Promise<void> {
    const { namespace = "", name = "", uid } = metaOf(given);
    const deployment = this.world.view(this.kind).get(namespace, name);
    if (deployment === undefined || metaOf(deployment).uid !== uid) return;
    const { current, old } = this.#sets(deployment);
    const terminating = this.world
      .view("pods")
      .in(namespace)
      .filter((pod) => {
        const set = controllerOf(pod)?.uid;
        return (
          isDeleted(pod) &&
          !isFinished(pod) &&
          [current, ...old].some((one) => one !== undefined && metaOf(one).uid === set)
        );
      });
    const status = deploymentStatus(deployment, current, old, terminating.length, this.world.time());
    const wait = untilDeadline({ ...deployment, status }, this.world.now);
    if (wait !== undefined) this.again(deployment, wait + 1000);
    if (semanticEqual(status, deployment.status)) return;
    if (!(await this.actor.update(this.kind, { ...deployment, status } as Deployment, "status")))
      this.again(deployment, 10);
  }
}

function hasTemplate(set: ReplicaSet, template: PodTemplateSpec | undefined): boolean {
  const { [HASH]: _, ...labels } = (set.spec?.template?.metadata?.labels ?? {}) as Readonly<Record<string, string>>;
  const own = { ...set.spec?.template, metadata: { ...set.spec?.template?.metadata, labels } };
  const { [HASH]: __, ...wantedLabels } = (template?.metadata?.labels ?? {}) as Readonly<Record<string, string>>;
  return semanticEqual(own, { ...template, metadata: { ...template?.metadata, labels: wantedLabels } });
}

function isComplete(deployment: Deployment, current: ReplicaSet | undefined, old: readonly ReplicaSet[]): boolean {
  const wanted = replicasOf(deployment);
  const available: DeploymentCondition | undefined = conditionOf(deployment.status?.conditions, "Available");
  return (
    current?.status?.replicas === wanted &&
    (current.status.availableReplicas ?? 0) === wanted &&
    old.every((set) => !set.status?.replicas) &&
    (available !== undefined || wanted === 0)
  );
}
