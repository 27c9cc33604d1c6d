// DaemonSets: a pod on every node that may have it. Upstream: kubernetes pkg/controller/daemon.

import { semanticEqual } from "@celadon/base";
import type { DaemonSet } from "@celadon/kube/api/apps-v1";
import type { Node, NodeSelectorTerm, Pod, PodSpec, PodTemplateSpec, Toleration } from "@celadon/kube/api/core-v1";
import { claim } from "../frame/owned.ts";
import { isAvailable, isFinished, isReady, podOf, untilAvailable } from "../frame/pods.ts";
import { REVISION_LABEL, Revisions } from "../frame/revisions.ts";
import { controllerOf, isDeleted, keyOf, matcher, metaOf, ownerReference, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { isSelected, untolerated } from "../nodes/node-fit.ts";
import { shareOf } from "./rollout.ts";

/** Pods of daemons stay where others would have to leave. */
const TOLERATED = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
] as const;

/** Pods by the node they are for. */
type ByNode = ReadonlyMap<string, readonly Pod[]>;

export class DaemonSetStandIn extends StandIn<"daemonsets.apps"> {
  readonly name = "daemonset";

  constructor(world: World) {
    super(world, "daemonsets.apps", world.controller("daemon-set-controller"));
  }

  protected override followOthers(): void {
    this.followOwned("pods", "DaemonSet", ({ spec }, pod) => matcher(spec?.selector)(pod));
    this.followOwned("controllerrevisions.apps", "DaemonSet", ({ spec }, revision) =>
      matcher(spec?.selector)(revision),
    );
    this.world.view("nodes").follow((now, before) => {
      const isSame = semanticEqual([now?.spec, metaOf(now).labels], [before?.spec, metaOf(before).labels]);
      if (!isSame) for (const set of this.world.view(this.kind).all()) this.add(keyOf(set));
    });
  }

  protected async look(set: DaemonSet): Promise<void> {
    if (isDeleted(set)) return;
    const { namespace = "" } = metaOf(set);
    const matches = matcher(set.spec?.selector);
    const owner = { apiVersion: "apps/v1", kind: "DaemonSet", object: set, matches };
    const revisions = new Revisions(this.world, this.actor, owner);
    const collisions = set.status?.collisionCount ?? 0;
    const current = await revisions.current(collisions);
    if (current === undefined) {
      await this.actor.update(
        this.kind,
        { ...set, status: { ...set.status, collisionCount: collisions + 1 } },
        "status",
      );
      return;
    }
    const hash = metaOf(current).labels?.[REVISION_LABEL] ?? "";
    await claim(this.actor, "pods", owner, this.world.view("pods").in(namespace));
    await this.#place(set, hash);
    if (set.spec?.updateStrategy?.type !== "OnDelete") await this.#roll(set, hash);
    const used = new Set(
      this.#pods(set).map((pod) => `${metaOf(set).name}-${metaOf(pod).labels?.[REVISION_LABEL] ?? ""}`),
    ).add(metaOf(current).name ?? "");
    await revisions.trim(set.spec?.revisionHistoryLimit ?? 10, used);
    await this.#report(set, hash);
  }

  #pods(set: DaemonSet): readonly Pod[] {
    const { namespace = "", uid } = metaOf(set);
    return this.world
      .view("pods")
      .in(namespace)
      .filter((pod) => controllerOf(pod)?.uid === uid);
  }

  #byNode(set: DaemonSet): ByNode {
    const byNode = new Map<string, Pod[]>();
    for (const pod of this.#pods(set)) {
      const node = nodeFor(pod);
      if (node !== undefined) byNode.set(node, [...(byNode.get(node) ?? []), pod]);
    }
    return byNode;
  }

  /** Creates missing pods, and deletes those that failed, are too many or are in the wrong place. */
  async #place(set: DaemonSet, hash: string): Promise<void> {
    const byNode = this.#byNode(set);
    const { surge } = limits(set, this.#wanted(set).length);
    for (const node of this.world.view("nodes").all()) {
      const pods = byNode.get(metaOf(node).name ?? "") ?? [];
      const living = pods.filter((pod) => !isDeleted(pod) && !isFinished(pod));
      for (const pod of pods) if (isFinished(pod) && !isDeleted(pod)) await this.#delete(set, pod, "FailedDaemonPod");
      if (!mayStay(set, node)) {
        for (const pod of living) await this.#delete(set, pod);
      } else if (living.length === 0 && pods.every(isFinished) && mayStart(set, node)) {
        await this.#create(set, node, hash);
      } else {
        // While a new pod takes the place of an old one there are two; otherwise the oldest stays.
        const isReplacing = surge > 0 && new Set(living.map((pod) => metaOf(pod).labels?.[REVISION_LABEL])).size > 1;
        const surplus = [...living].sort((a, b) => age(a) - age(b)).slice(1);
        if (!isReplacing) for (const pod of surplus) await this.#delete(set, pod);
      }
    }
    for (const [node, pods] of byNode) {
      if (this.world.view("nodes").get("", node) === undefined)
        for (const pod of pods) if (!isDeleted(pod)) await this.#delete(set, pod);
    }
  }

  #wanted(set: DaemonSet): readonly Node[] {
    return this.world
      .view("nodes")
      .all()
      .filter((node) => mayStart(set, node));
  }

  /** Replaces old pods, as many at a time as may be missing or too many. */
  async #roll(set: DaemonSet, hash: string): Promise<void> {
    const { now } = this.world;
    const nodes = this.#wanted(set);
    const { surge, unavailable } = limits(set, nodes.length);
    const byNode = this.#byNode(set);
    const minReady = set.spec?.minReadySeconds;
    let missing = 0;
    const healthy: Pod[] = [];
    let surging = 0;
    for (const node of nodes) {
      const pods = (byNode.get(metaOf(node).name ?? "") ?? []).filter((pod) => !isDeleted(pod) && !isFinished(pod));
      const old = pods.find((pod) => metaOf(pod).labels?.[REVISION_LABEL] !== hash);
      const fresh = pods.find((pod) => metaOf(pod).labels?.[REVISION_LABEL] === hash);
      if (surge > 0) {
        if (old === undefined) continue;
        if (fresh === undefined && !isReady(old)) await this.#create(set, node, hash);
        else if (fresh === undefined) healthy.push(old);
        else if (isAvailable(fresh, minReady, now)) await this.#delete(set, old);
        else surging++;
        continue;
      }
      if (old === undefined && (fresh === undefined || !isAvailable(fresh, minReady, now))) missing++;
      else if (old !== undefined && !isAvailable(old, minReady, now)) {
        missing++;
        await this.#delete(set, old);
      } else if (old !== undefined) healthy.push(old);
    }
    if (surge > 0) {
      for (const old of healthy.slice(0, Math.max(0, surge - surging))) {
        const node = this.world.view("nodes").get("", nodeFor(old) ?? "");
        if (node !== undefined) await this.#create(set, node, hash);
      }
      return;
    }
    for (const old of healthy.slice(0, Math.max(0, unavailable - missing))) await this.#delete(set, old);
  }

  async #create(set: DaemonSet, node: Node, hash: string): Promise<void> {
    const pod = podOf(templateFor(set), ownerReference("apps/v1", "DaemonSet", set));
    const terms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: [metaOf(node).name ?? ""] }] }];
    const made = await this.actor.create("pods", metaOf(set).namespace ?? "", {
      ...pod,
      metadata: { ...pod.metadata, labels: { ...metaOf(pod).labels, [REVISION_LABEL]: hash } },
      spec: withTerms(pod.spec, terms),
    });
    await this.#event(set, "Normal", "SuccessfulCreate", `Created pod: ${metaOf(made).name}`);
  }

  async #delete(set: DaemonSet, pod: Pod, reason?: string): Promise<void> {
    if (!(await this.actor.delete("pods", pod))) return;
    if (reason === undefined) return this.#event(set, "Normal", "SuccessfulDelete", `Deleted pod: ${metaOf(pod).name}`);
    const text = `Found failed daemon pod ${keyOf(pod)} on node ${pod.spec?.nodeName}, will try to kill it`;
    await this.#event(set, "Warning", reason, text);
  }

  #event(set: DaemonSet, type: "Normal" | "Warning", reason: string, text: string): Promise<void> {
    return this.actor.event({ ...set, kind: "DaemonSet", apiVersion: "apps/v1" }, type, reason, text);
  }

  async #report(given: DaemonSet, hash: string): Promise<void> {
    const { namespace = "", name = "", uid, generation } = metaOf(given);
    const set = this.world.view(this.kind).get(namespace, name);
    if (set === undefined || metaOf(set).uid !== uid) return;
    const byNode = this.#byNode(set);
    const { now } = this.world;
    const wanted = new Set(this.#wanted(set));
    const counts = { current: 0, misplaced: 0, ready: 0, available: 0, updated: 0 };
    let next = Number.POSITIVE_INFINITY;
    for (const node of this.world.view("nodes").all()) {
      const pods = [...(byNode.get(metaOf(node).name ?? "") ?? [])]
        .filter((pod) => !isFinished(pod))
        .sort((a, b) => age(a) - age(b));
      const [pod] = pods.filter((one) => !isDeleted(one)).length > 0 ? pods.filter((one) => !isDeleted(one)) : pods;
      if (!wanted.has(node)) {
        if (pod !== undefined) counts.misplaced++;
        continue;
      }
      if (pod === undefined) continue;
      counts.current++;
      if (isReady(pod)) counts.ready++;
      const wait = untilAvailable(pod, set.spec?.minReadySeconds, now);
      if (wait === 0) counts.available++;
      else next = Math.min(next, wait);
      if (pods.some((one) => metaOf(one).labels?.[REVISION_LABEL] === hash)) counts.updated++;
    }
    if (Number.isFinite(next)) this.again(set, next);
    const status = {
      ...set.status,
      currentNumberScheduled: counts.current,
      numberMisscheduled: counts.misplaced,
      desiredNumberScheduled: wanted.size,
      numberReady: counts.ready,
      observedGeneration: generation,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: wanted.size - counts.available,
    };
    if (semanticEqual(status, set.status)) return;
    if (!(await this.actor.update(this.kind, { ...set, status }, "status"))) this.again(set, 10);
  }
}

const age = (pod: Pod): number => Date.parse(metaOf(pod).creationTimestamp ?? "");

/** The template with the tolerations of daemons. */
function templateFor({ spec }: DaemonSet): PodTemplateSpec {
  const { template } = spec ?? {};
  const hostNetwork = template?.spec?.hostNetwork === true ? [["network-unavailable", "NoSchedule"] as const] : [];
  const added = [...TOLERATED, ...hostNetwork].map(
    ([name, effect]): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect }),
  );
  return { ...template, spec: { ...template?.spec, tolerations: [...(template?.spec?.tolerations ?? []), ...added] } };
}

/** Every term of the pod's own affinity also names the node. */
function withTerms(spec: PodSpec | undefined, terms: readonly NodeSelectorTerm[]): PodSpec {
  const nodeAffinity = {
    ...spec?.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
  };
  return { ...spec, affinity: { ...spec?.affinity, nodeAffinity } };
}

/** The node of a pod, or the one that it is made for. */
function nodeFor({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms[0]?.matchFields?.find(({ key }) => key === "metadata.name")?.values?.[0];
}

function mayStart(set: DaemonSet, node: Node): boolean {
  return mayStay(set, node) && untolerated(node, templateFor(set).spec?.tolerations, ["NoSchedule"]) === undefined;
}

function mayStay(set: DaemonSet, node: Node): boolean {
  const { spec } = templateFor(set);
  if (spec?.nodeName && spec.nodeName !== metaOf(node).name) return false;
  return isSelected(spec, node) && untolerated(node, spec?.tolerations, ["NoExecute"]) === undefined;
}

function limits({ spec }: DaemonSet, nodes: number): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge, maxUnavailable = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  const surge = shareOf(maxSurge, nodes, Math.ceil);
  const unavailable = shareOf(maxUnavailable, nodes, Math.ceil);
  return { surge, unavailable: surge === 0 ? Math.max(1, unavailable) : unavailable };
}
