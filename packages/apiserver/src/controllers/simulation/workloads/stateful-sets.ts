// StatefulSets: pods with names and claims of their own, one after the other. Upstream: kubernetes pkg/controller/statefulset.

import { semanticEqual } from "@celadon/base";
import type { ControllerRevision, StatefulSet } from "@celadon/kube/api/apps-v1";
import type { PersistentVolumeClaim, Pod } from "@celadon/kube/api/core-v1";
import { RequestRefused } from "../../controller.ts";
import { claim } from "../frame/owned.ts";
import { isAvailable, isFinished, isReady, podOf, untilAvailable } from "../frame/pods.ts";
import { REVISION_LABEL, Revisions, templateOf } from "../frame/revisions.ts";
import { controllerOf, isDeleted, matcher, metaOf, ownerReference, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { shareOf } from "./rollout.ts";

const POD_NAME = "statefulset.kubernetes.io/pod-name";
const POD_INDEX = "apps.kubernetes.io/pod-index";

/** The revision that is being left, and the one of the present template. */
interface Update {
  readonly former: ControllerRevision;
  readonly latest: ControllerRevision;
}

export class StatefulSetStandIn extends StandIn<"statefulsets.apps"> {
  readonly name = "statefulset";

  constructor(world: World) {
    super(world, "statefulsets.apps", world.controller("statefulset-controller"));
  }

  protected override followOthers(): void {
    this.followOwned("pods", "StatefulSet", ({ spec }, pod) => matcher(spec?.selector)(pod));
    this.followOwned("controllerrevisions.apps", "StatefulSet", ({ spec }, revision) =>
      matcher(spec?.selector)(revision),
    );
  }

  protected async look(set: StatefulSet): Promise<void> {
    const { namespace = "", name = "" } = metaOf(set);
    const inSet = matcher(set.spec?.selector);
    const owner = { apiVersion: "apps/v1", kind: "StatefulSet", object: set, matches: inSet };
    const own = { ...owner, matches: (pod: object) => inSet(pod) && ordinalOf(name, pod) !== undefined };
    await claim(this.actor, "pods", own, this.world.view("pods").in(namespace));
    const revisions = new Revisions(this.world, this.actor, owner);
    const collisions = set.status?.collisionCount ?? 0;
    const latest = await revisions.current(collisions);
    if (latest === undefined) {
      await this.actor.update(
        this.kind,
        { ...set, status: { ...set.status, collisionCount: collisions + 1 } },
        "status",
      );
      return;
    }
    const former = revisions.list().find((revision) => metaOf(revision).name === set.status?.currentRevision) ?? latest;
    const update = { former, latest };
    if (!isDeleted(set)) await this.#advance(set, update);
    const used = new Set(this.#pods(set).map((pod) => metaOf(pod).labels?.[REVISION_LABEL] ?? ""));
    used.add(metaOf(former).name ?? "").add(metaOf(latest).name ?? "");
    await revisions.trim(set.spec?.revisionHistoryLimit ?? 10, used);
    await this.#report(set, update);
  }

  /** Its pods by ordinal. */
  #pods(set: StatefulSet): readonly Pod[] {
    const { namespace = "", uid, name = "" } = metaOf(set);
    return this.world
      .view("pods")
      .in(namespace)
      .filter((pod) => controllerOf(pod)?.uid === uid)
      .sort((a, b) => (ordinalOf(name, a) ?? 0) - (ordinalOf(name, b) ?? 0));
  }

  /** One step, or several where the set does not ask for order. */
  async #advance(set: StatefulSet, update: Update): Promise<void> {
    const { replicas = 1, podManagementPolicy, ordinals, minReadySeconds } = set.spec ?? {};
    const inOrder = podManagementPolicy !== "Parallel";
    const first = ordinals?.start ?? 0;
    const name = metaOf(set).name ?? "";
    const pods = new Map(this.#pods(set).map((pod) => [ordinalOf(name, pod)!, pod]));
    for (let ordinal = first; ordinal < first + replicas; ordinal++) {
      const pod = pods.get(ordinal);
      if (pod === undefined) {
        await this.#create(set, ordinal, this.#revisionFor(set, ordinal, update));
        if (inOrder) return;
        continue;
      }
      if (isFinished(pod) && !isDeleted(pod)) {
        await this.actor.event(
          about(set),
          "Warning",
          "RecreatingFailedPod",
          `StatefulSet ${metaOf(set).namespace}/${name} is recreating failed Pod ${metaOf(pod).name}`,
        );
        await this.actor.delete("pods", pod);
        return;
      }
      if (inOrder && (isDeleted(pod) || !isAvailable(pod, minReadySeconds, this.world.now)))
        return this.#wait(set, pod);
    }
    const surplus = [...pods]
      .filter(([ordinal]) => ordinal < first || ordinal >= first + replicas)
      .sort(([a], [b]) => b - a);
    for (const [ordinal, pod] of surplus) {
      if (isDeleted(pod)) {
        if (inOrder) return;
        continue;
      }
      await this.#claimsOf(set, ordinal, "whenScaled");
      await this.#delete(set, pod);
      if (inOrder) return;
    }
    if (set.spec?.updateStrategy?.type === "OnDelete" || surplus.length > 0) return;
    await this.#roll(
      set,
      update,
      [...pods.entries()].filter(([ordinal]) => ordinal >= first),
    );
  }

  /** Pods of an old revision are deleted, the last first, and only while few enough are away. */
  async #roll(
    set: StatefulSet,
    { latest }: Update,
    pods: readonly (readonly [ordinal: number, pod: Pod])[],
  ): Promise<void> {
    const { partition = 0, maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
    const most = Math.max(1, shareOf(maxUnavailable ?? 1, set.spec?.replicas ?? 1, Math.ceil));
    const { minReadySeconds } = set.spec ?? {};
    const isAway = (pod: Pod): boolean => isDeleted(pod) || !isAvailable(pod, minReadySeconds, this.world.now);
    let away = pods.filter(([, pod]) => isAway(pod)).length;
    const start = (set.spec?.ordinals?.start ?? 0) + (partition ?? 0);
    for (const [ordinal, pod] of [...pods].sort(([a], [b]) => b - a)) {
      if (ordinal < start) break;
      const isOld = metaOf(pod).labels?.[REVISION_LABEL] !== metaOf(latest).name;
      if (isOld && !isDeleted(pod)) {
        if (!isAway(pod)) {
          if (away >= most) return;
          away++;
        }
        await this.#delete(set, pod);
        if (away >= most) return;
      } else if (isAway(pod) && away >= most) return this.#wait(set, pod);
    }
  }

  /** Pods below the partition keep the former revision. */
  #revisionFor(set: StatefulSet, ordinal: number, { former, latest }: Update): ControllerRevision {
    const { updateStrategy, ordinals } = set.spec ?? {};
    if (former === latest) return latest;
    const start = ordinals?.start ?? 0;
    if (updateStrategy?.type === "OnDelete") return latest;
    const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
    return ordinal < start + (partition ?? 0) ? former : latest;
  }

  async #create(set: StatefulSet, ordinal: number, revision: ControllerRevision): Promise<void> {
    const { namespace = "", name = "" } = metaOf(set);
    const podName = `${name}-${ordinal}`;
    for (const { metadata, ...template } of set.spec?.volumeClaimTemplates ?? []) {
      const claimName = `${metadata?.name}-${podName}`;
      if (this.world.view("persistentvolumeclaims").get(namespace, claimName) !== undefined) continue;
      const labels = { ...metadata?.labels, ...set.spec?.selector?.matchLabels };
      const body = { ...template, metadata: { name: claimName, labels, annotations: metadata?.annotations } };
      await this.actor.create("persistentvolumeclaims", namespace, body);
      const text = `create Claim ${claimName} Pod ${podName} in StatefulSet ${name} success`;
      await this.actor.event(about(set), "Normal", "SuccessfulCreate", text);
    }
    await this.#claimsOf(set, ordinal, "whenDeleted");
    const pod = podOf(templateOf(revision), ownerReference("apps/v1", "StatefulSet", set));
    const { generateName: _, ...metadata } = metaOf(pod);
    const own = new Set((set.spec?.volumeClaimTemplates ?? []).map((template) => template.metadata?.name));
    const volumes = [
      ...[...own].map((volume) => ({ name: volume, persistentVolumeClaim: { claimName: `${volume}-${podName}` } })),
      ...(pod.spec?.volumes ?? []).filter((volume) => !own.has(volume.name)),
    ];
    const labels = {
      ...metadata.labels,
      [POD_NAME]: podName,
      [POD_INDEX]: String(ordinal),
      [REVISION_LABEL]: metaOf(revision).name,
    };
    try {
      await this.actor.create("pods", namespace, {
        metadata: { ...metadata, name: podName, labels },
        spec: {
          ...pod.spec,
          hostname: podName,
          subdomain: set.spec?.serviceName,
          ...(volumes.length > 0 && { volumes }),
        },
      });
      await this.actor.event(
        about(set),
        "Normal",
        "SuccessfulCreate",
        `create Pod ${podName} in StatefulSet ${name} successful`,
      );
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      const text = `create Pod ${podName} in StatefulSet ${name} failed error: ${error.message}`;
      await this.actor.event(about(set), "Warning", "FailedCreate", text);
      throw error;
    }
  }

  async #delete(set: StatefulSet, pod: Pod): Promise<void> {
    if (!(await this.actor.delete("pods", pod))) return;
    const text = `delete Pod ${metaOf(pod).name} in StatefulSet ${metaOf(set).name} successful`;
    await this.actor.event(about(set), "Normal", "SuccessfulDelete", text);
  }

  /** Claims that shall go with the set, or with a pod that it has no more, are owned by it. */
  async #claimsOf(set: StatefulSet, ordinal: number, when: "whenDeleted" | "whenScaled"): Promise<void> {
    const { namespace = "", name } = metaOf(set);
    if (set.spec?.persistentVolumeClaimRetentionPolicy?.[when] !== "Delete") return;
    const pod = this.world.view("pods").get(namespace, `${name}-${ordinal}`);
    const reference =
      when === "whenDeleted" ? ownerReference("apps/v1", "StatefulSet", set) : pod && ownerReference("v1", "Pod", pod);
    if (reference === undefined) return;
    const { controller: _, blockOwnerDeletion: __, ...ownerReference_ } = reference;
    for (const template of set.spec?.volumeClaimTemplates ?? []) {
      const claimed: PersistentVolumeClaim | undefined = this.world
        .view("persistentvolumeclaims")
        .get(namespace, `${template.metadata?.name}-${name}-${ordinal}`);
      const known = metaOf(claimed).ownerReferences ?? [];
      if (claimed === undefined || known.some(({ uid }) => uid === reference.uid)) continue;
      await this.actor.update("persistentvolumeclaims", {
        ...claimed,
        metadata: { ...metaOf(claimed), ownerReferences: [...known, ownerReference_] },
      });
    }
  }

  #wait(set: StatefulSet, pod: Pod): void {
    const wait = untilAvailable(pod, set.spec?.minReadySeconds, this.world.now);
    if (Number.isFinite(wait) && wait > 0) this.again(set, wait);
  }

  async #report(given: StatefulSet, { former, latest }: Update): Promise<void> {
    const { namespace = "", name = "", uid, generation } = metaOf(given);
    const set = this.world.view(this.kind).get(namespace, name);
    if (set === undefined || metaOf(set).uid !== uid) return;
    const pods = this.#pods(set).filter((pod) => !isFinished(pod));
    const living = pods.filter((pod) => !isDeleted(pod));
    const of = (revision: ControllerRevision): number =>
      living.filter((pod) => metaOf(pod).labels?.[REVISION_LABEL] === metaOf(revision).name).length;
    const ready = living.filter(isReady).length;
    const wanted = set.spec?.replicas ?? 1;
    const updated = of(latest);
    const isDone = updated === wanted && pods.length === wanted && ready === wanted;
    const waits = living.map((pod) => untilAvailable(pod, set.spec?.minReadySeconds, this.world.now));
    const next = Math.min(...waits.filter((wait) => wait > 0 && Number.isFinite(wait)));
    if (Number.isFinite(next)) this.again(set, next);
    const isRolling = set.spec?.updateStrategy?.type !== "OnDelete";
    const current = isDone && isRolling ? latest : former;
    const status = {
      ...set.status,
      observedGeneration: generation,
      replicas: pods.length,
      readyReplicas: ready,
      availableReplicas: waits.filter((wait) => wait === 0).length,
      currentReplicas: of(current),
      updatedReplicas: updated,
      currentRevision: metaOf(current).name,
      updateRevision: metaOf(latest).name,
      collisionCount: set.status?.collisionCount ?? 0,
    };
    if (semanticEqual(status, set.status)) return;
    if (!(await this.actor.update(this.kind, { ...set, status }, "status"))) this.again(set, 10);
  }
}

const about = (set: StatefulSet): StatefulSet => ({ ...set, kind: "StatefulSet", apiVersion: "apps/v1" });

/** The number of a pod of the set, by its name. */
function ordinalOf(name: string, pod: object): number | undefined {
  const own = metaOf(pod).name ?? "";
  const rest = own.startsWith(`${name}-`) ? own.slice(name.length + 1) : "";
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}
