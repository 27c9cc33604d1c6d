// Pods that run nothing: on a node they become ready, some end by themselves, and all go when they are deleted. Annotations say otherwise
// (pod-plan.ts).

import { semanticEqual } from "@celadon/base";
import type { Pod } from "@celadon/kube/api/core-v1";
import { isFinished } from "../frame/pods.ts";
import { isDeleted, metaOf, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { kubelet } from "./node-stand-in.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { planOf } from "./pod-plan.ts";
import { ended, running } from "./pod-status.ts";

export class KubeletStandIn extends StandIn<"pods"> {
  readonly name = "simulated-kubelet";
  readonly #addresses = new PodAddresses();

  constructor(world: World) {
    super(world, "pods", world.user("system:nodes", [], "kubelet"));
  }

  protected override followOthers(): void {
    this.world.view("pods").follow((now, before) => this.#addresses.changed(now, before));
    this.world.view("nodes").follow((node, before) => {
      if (node === undefined || before !== undefined) return;
      for (const pod of this.world.view("pods").all())
        if (pod.spec?.nodeName === metaOf(node).name) this.add(`${metaOf(pod).namespace}/${metaOf(pod).name}`);
    });
  }

  protected override async look(pod: Pod): Promise<void> {
    const node = this.world.view("nodes").get("", pod.spec?.nodeName ?? "");
    if (node === undefined) return;
    const plan = planOf(pod);
    const { now } = this.world;
    if (isDeleted(pod)) return this.#end(pod, plan.stopAfterMs);
    if (isFinished(pod)) return;
    const address = pod.status?.podIP ?? plan.address ?? this.#addresses.next();
    const { status, nextMs } = running(pod, plan, { node, address, now, time: this.world.time() });
    if (!semanticEqual(status, pod.status)) {
      await kubelet(this.world, metaOf(node).name ?? "").update("pods", { ...pod, status }, "status");
    }
    if (nextMs !== undefined) this.again(pod, nextMs);
  }

  /** The containers end, then the pod goes. */
  async #end(pod: Pod, stopAfterMs: number): Promise<void> {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metaOf(pod);
    // Only finalizers keep it now.
    if (deletionGracePeriodSeconds === 0 && isFinished(pod)) return;
    const graceMs = Math.min(stopAfterMs, (deletionGracePeriodSeconds ?? 0) * 1000);
    const began = Date.parse(deletionTimestamp ?? "") - (deletionGracePeriodSeconds ?? 0) * 1000;
    const wait = began + graceMs - this.world.now;
    if (stopAfterMs > 0 && wait > 0) return this.again(pod, wait);
    const actor = kubelet(this.world, pod.spec?.nodeName ?? "");
    if (!isFinished(pod)) {
      const status = ended(pod, { code: 0, time: this.world.time() });
      if (!(await actor.update("pods", { ...pod, status }, "status"))) return;
    }
    await actor.delete("pods", pod, { gracePeriodSeconds: 0 });
  }
}
