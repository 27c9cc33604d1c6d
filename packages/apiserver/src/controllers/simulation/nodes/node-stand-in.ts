// Nodes without machines: every Node becomes ready, with the resources of a large machine unless its status names others. A cluster without
// nodes gets one.

import { semanticEqual } from "@celadon/base";
import type { Node } from "@celadon/kube/api/core-v1";
import { conditionOf, withCondition } from "../frame/conditions.ts";
import { isDeleted, metaOf, StandIn } from "../frame/stand-in.ts";
import type { Actor, World } from "../frame/world.ts";

const FIRST = "simulated";
const RESOURCES = { cpu: "32", memory: "256Gi", "ephemeral-storage": "1Ti", pods: "110" };
const NOT_READY = "node.kubernetes.io/not-ready";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** The report of a kubelet about its machine: type, status, reason and message. */
const CONDITIONS = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

/** Calls by the kubelet of a node. */
export const kubelet = (world: World, node: string): Actor =>
  world.user(`system:node:${node}`, ["system:nodes"], "kubelet");

export class NodeStandIn extends StandIn<"nodes"> {
  readonly name = "simulated-nodes";

  constructor(world: World) {
    super(world, "nodes", world.controller("node-controller"));
  }

  protected override followOthers(): void {
    if (this.world.view("nodes").all().length === 0) this.add(`/${FIRST}`);
  }

  protected override async look(node: Node): Promise<void> {
    if (isDeleted(node)) return;
    const { name = "" } = metaOf(node);
    const labels = { ...defaultLabels(name), ...metaOf(node).labels };
    const own = kubelet(this.world, name);
    if (!semanticEqual(labels, metaOf(node).labels)) await own.patch("nodes", node, { metadata: { labels } });
    const status = this.#statusOf(node);
    if (!semanticEqual(status, node.status)) await this.#report(own, name, status);
    await this.#taint(node);
  }

  /** Labels may just have changed the object. */
  async #report(own: Actor, name: string, status: Node["status"]): Promise<void> {
    const current = this.world.view("nodes").get("", name);
    if (current !== undefined) await own.update("nodes", { ...current, status }, "status");
  }

  protected override gone(key: string): void {
    if (key === `/${FIRST}` && this.world.view("nodes").all().length === 0) void this.#create();
  }

  async #create(): Promise<void> {
    const metadata = { name: FIRST, labels: defaultLabels(FIRST) };
    await kubelet(this.world, FIRST)
      .create("nodes", "", { metadata })
      .catch(() => this.addAfter(`/${FIRST}`, 1000));
  }

  #statusOf({ metadata, status }: Node): Node["status"] {
    const { name = "" } = metadata ?? {};
    const capacity = { ...RESOURCES, ...status?.capacity };
    let conditions = status?.conditions ?? [];
    for (const [type, is, reason, message] of CONDITIONS) {
      const known = conditionOf(conditions, type);
      if (known?.status === is && known.reason === reason) continue;
      const time = this.world.time();
      conditions = withCondition(conditions, { type, status: is, reason, message, lastHeartbeatTime: time }, time);
    }
    return {
      ...status,
      capacity,
      allocatable: { ...capacity, ...status?.allocatable },
      conditions,
      addresses: status?.addresses ?? [
        { type: "InternalIP", address: addressOf(name) },
        { type: "Hostname", address: name },
      ],
      nodeInfo: {
        ...status?.nodeInfo,
        machineID: "",
        systemUUID: "",
        bootID: "",
        kernelVersion: "",
        osImage: "simulated",
        containerRuntimeVersion: "simulated://0",
        kubeletVersion: "simulated",
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
    };
  }

  /** A ready node has no taint for not being ready; a cordoned one has its own. */
  async #taint(given: Node): Promise<void> {
    const node = this.world.view("nodes").get("", metaOf(given).name ?? "") ?? given;
    const { spec } = node;
    const taints = (spec?.taints ?? []).filter(
      ({ key }) => key !== NOT_READY && !(key === UNSCHEDULABLE && spec?.unschedulable !== true),
    );
    if (spec?.unschedulable === true && !taints.some(({ key }) => key === UNSCHEDULABLE)) {
      taints.push({ key: UNSCHEDULABLE, effect: "NoSchedule", timeAdded: this.world.time() });
    }
    if (semanticEqual(taints, spec?.taints ?? [])) return;
    await this.actor.update("nodes", { ...node, spec: { ...spec, taints } });
  }
}

const defaultLabels = (name: string): Readonly<Record<string, string>> => ({
  "kubernetes.io/arch": "amd64",
  "kubernetes.io/hostname": name,
  "kubernetes.io/os": "linux",
});

/** An address of RFC 2544, which nothing on a network answers. */
function addressOf(name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.codePointAt(0)!) >>> 0;
  return `198.18.${(hash >>> 8) & 255}.${hash & 255 || 1}`;
}
