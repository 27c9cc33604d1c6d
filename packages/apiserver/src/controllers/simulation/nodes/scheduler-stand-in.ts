// A place for every pod of the default scheduler: the node that can take it and has the fewest pods. Preferences are not weighed, and no pod
// gives way to another. Upstream: kubernetes pkg/scheduler.

import type { Node, Pod } from "@celadon/kube/api/core-v1";
import { add, podResources, type Quantities, quantitiesOf } from "../../../quota/pod-resources.ts";
import { conditionOf, withCondition } from "../frame/conditions.ts";
import { isFinished } from "../frame/pods.ts";
import { isDeleted, keyOf, metaOf, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { hostPorts, isSelected, isTaken, untolerated } from "./node-fit.ts";
import { affinityProblem, spreadProblem } from "./topology.ts";
import { volumeProblem, volumesFit, waitForVolumes } from "./volume-places.ts";

const NAME = "default-scheduler";

export class SchedulerStandIn extends StandIn<"pods"> {
  readonly name = "simulated-scheduler";
  /** The unfinished pods on each node. */
  readonly #byNode = new Map<string, Map<string, Pod>>();

  constructor(world: World) {
    super(world, "pods", world.user("system:kube-scheduler", [], "kube-scheduler"));
  }

  protected override followOthers(): void {
    this.world.view("pods").follow((now, before) => {
      const [node, former] = [placeOf(now), placeOf(before)];
      if (former !== undefined && former !== node) this.#byNode.get(former)?.delete(keyOf(before));
      if (node !== undefined) this.#put(node, now!);
      // Room became free, or another pod's labels changed what its neighbours may do.
      if (before !== undefined) this.#retry();
    });
    for (const kind of ["nodes", "persistentvolumeclaims", "persistentvolumes"] as const)
      this.world.view(kind).follow(() => this.#retry());
  }

  #put(node: string, pod: Pod): void {
    let pods = this.#byNode.get(node);
    if (pods === undefined) this.#byNode.set(node, (pods = new Map()));
    pods.set(keyOf(pod), pod);
  }

  #isDue = false;

  /** All changes of a moment are one reason to look again. */
  #retry(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      for (const pod of this.world.view("pods").all()) if (isWaiting(pod)) this.add(keyOf(pod));
    });
  }

  protected async look(pod: Pod): Promise<void> {
    if (!isWaiting(pod)) return;
    const nodes = this.world.view("nodes").all();
    const problems = new Map<string, number>();
    const fitting: Node[] = [];
    const claims = volumeProblem(this.world, pod);
    if (claims === undefined) {
      for (const node of nodes) {
        const problem = this.#problemOf(pod, node, nodes);
        if (problem === undefined) fitting.push(node);
        else for (const text of problem) problems.set(text, (problems.get(text) ?? 0) + 1);
      }
    }
    const [node] = fitting.sort((a, b) => this.#countOn(a) - this.#countOn(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
    if (node === undefined) return this.#refuse(pod, claims ?? refusalText(nodes.length, problems));
    const name = metaOf(node).name ?? "";
    if (!(await waitForVolumes(this.world, this.actor, pod, name))) return;
    const target = { apiVersion: "v1", kind: "Node", name };
    const { namespace, uid } = metaOf(pod);
    if (
      await this.actor.post("pods", pod, "binding", { metadata: { name: metaOf(pod).name, namespace, uid }, target })
    ) {
      const about = { ...pod, kind: "Pod", apiVersion: "v1" };
      const text = `Successfully assigned ${namespace}/${metaOf(pod).name} to ${name}`;
      await this.actor.event(about, "Normal", "Scheduled", text);
    }
  }

  #problemOf(pod: Pod, node: Node, nodes: readonly Node[]): readonly string[] | undefined {
    const { spec } = pod;
    if (
      node.spec?.unschedulable === true &&
      untolerated(cordoned(node), spec?.tolerations, ["NoSchedule"]) !== undefined
    )
      return ["node(s) were unschedulable"];
    const taint = untolerated(node, spec?.tolerations, ["NoSchedule", "NoExecute"]);
    if (taint !== undefined) return ["node(s) had untolerated taint(s)"];
    if (!isSelected(spec, node)) return ["node(s) didn't match Pod's node affinity/selector"];
    if (!volumesFit(this.world, pod, node)) return ["node(s) had volume node affinity conflict"];
    const there = [...(this.#byNode.get(metaOf(node).name ?? "")?.values() ?? [])];
    const taken = there.flatMap(hostPorts);
    if (hostPorts(pod).some((port) => isTaken(port, taken)))
      return ["node(s) didn't have free ports for the requested pod ports"];
    const short = lacking(pod, node, there);
    if (short.length > 0) return short;
    const others = this.#placed(nodes);
    const problem = spreadProblem(pod, node, others) ?? affinityProblem(pod, node, others, this.world);
    return problem === undefined ? undefined : [problem];
  }

  #placed(nodes: readonly Node[]): readonly { readonly node: Node; readonly pods: readonly Pod[] }[] {
    return nodes.map((node) => ({ node, pods: [...(this.#byNode.get(metaOf(node).name ?? "")?.values() ?? [])] }));
  }

  #countOn = (node: Node): number => this.#byNode.get(metaOf(node).name ?? "")?.size ?? 0;

  async #refuse(pod: Pod, message: string): Promise<void> {
    const known = conditionOf(pod.status?.conditions, "PodScheduled");
    if (known?.status === "False" && known.message === message) return;
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const conditions = withCondition(pod.status?.conditions, condition, this.world.time());
    await this.actor.patch("pods", pod, { status: { conditions } }, "status");
    await this.actor.event({ ...pod, kind: "Pod", apiVersion: "v1" }, "Warning", "FailedScheduling", message);
  }
}

function isWaiting(pod: Pod): boolean {
  const { nodeName, schedulerName = NAME, schedulingGates } = pod.spec ?? {};
  return !nodeName && schedulerName === NAME && !schedulingGates?.length && !isDeleted(pod) && !isFinished(pod);
}

/** The node of an unfinished pod. */
function placeOf(pod: Pod | undefined): string | undefined {
  return pod === undefined || isFinished(pod) || !pod.spec?.nodeName ? undefined : pod.spec.nodeName;
}

const cordoned = (node: Node): Node => ({
  ...node,
  spec: { taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }] },
});

/** The resources that a node has too little of. */
function lacking(pod: Pod, node: Node, there: readonly Pod[]): readonly string[] {
  const free = quantitiesOf(node.status?.allocatable as Readonly<Record<string, string>> | undefined);
  const used: Quantities = new Map();
  for (const { spec } of there) if (spec !== undefined) add(used, podResources(spec, "requests", true));
  const short: string[] = [];
  if (there.length + 1 > Number(node.status?.allocatable?.pods ?? 0)) short.push("Too many pods");
  const wanted = podResources(pod.spec ?? {}, "requests", true);
  for (const [name, quantity] of wanted) {
    if (quantity.sign() === 0) continue;
    const room = free.get(name);
    const sum = used.get(name)?.add(quantity) ?? quantity;
    if (room === undefined || sum.compare(room) > 0) short.push(`Insufficient ${name}`);
  }
  return short;
}

function refusalText(count: number, problems: ReadonlyMap<string, number>): string {
  if (count === 0) return "no nodes available to schedule pods";
  const parts = [...problems].map(([text, nodes]) => `${nodes} ${text}`).sort();
  return `0/${count} nodes are available: ${parts.join(", ")}.`;
}
