// Endpoints of services, the older form of their EndpointSlices. Upstream: kubernetes pkg/controller/endpoint.

import { semanticEqual } from "@celadon/base";
import type { Endpoints, Service } from "@celadon/kube/api/core-v1";
import { isDeleted, keyOf, metaOf, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { endpointGroups, hasSelector, hostnameOf, type PodEndpoint, servicesOf, targetOf } from "./endpoint-sets.ts";
import { HEADLESS } from "./endpoint-slices.ts";

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";

export class EndpointsStandIn extends StandIn<"services"> {
  readonly name = "endpoints";

  constructor(world: World) {
    super(world, "services", world.controller("endpoint-controller"));
  }

  protected override followOthers(): void {
    this.world.view("pods").follow((now, before) => {
      for (const pod of [now, before])
        if (pod !== undefined) for (const key of servicesOf(this.world, pod)) this.add(key);
    });
    this.world.view("endpoints").follow((now, before) => this.add(keyOf(now ?? before)));
  }

  protected async look(service: Service): Promise<void> {
    if (!hasSelector(service) || isDeleted(service)) return;
    const { namespace = "", name = "", labels: own } = metaOf(service);
    const groups = endpointGroups(this.world, service, service.spec?.ipFamilies?.[0] ?? "IPv4");
    const subsets = groups.map(({ ports, endpoints }) => {
      const address = (endpoint: PodEndpoint): object => this.#address(service, endpoint);
      const addresses = endpoints.filter(({ ready }) => ready).map(address);
      const notReadyAddresses = endpoints.filter(({ ready, terminating }) => !ready && !terminating).map(address);
      return {
        ...(addresses.length > 0 && { addresses }),
        ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
        ports,
      };
    });
    const filled = subsets.filter((subset) => "addresses" in subset || "notReadyAddresses" in subset);
    const isHeadless = service.spec?.clusterIP === "None";
    const labels = { ...own, ...(isHeadless && { [HEADLESS]: "" }), [MANAGED_BY]: "endpoint-controller" } as Readonly<
      Record<string, string>
    >;
    const known = this.world.view("endpoints").get(namespace, name);
    if (known === undefined) {
      await this.actor.create("endpoints", namespace, { metadata: { name, labels }, subsets: filled });
      return;
    }
    if (semanticEqual(known.subsets ?? [], filled) && semanticEqual(metaOf(known).labels, labels)) return;
    const changed = { ...known, metadata: { ...metaOf(known), labels }, subsets: filled } as Endpoints;
    if (!(await this.actor.update("endpoints", changed))) this.add(keyOf(service));
  }

  protected override gone(key: string): void {
    const at = key.indexOf("/");
    const left = this.world.view("endpoints").get(key.slice(0, at), key.slice(at + 1));
    if (left !== undefined && metaOf(left).labels?.[MANAGED_BY] === "endpoint-controller")
      void this.actor.delete("endpoints", left).catch(() => {});
  }

  #address(service: Service, { pod, address }: PodEndpoint): object {
    const hostname = hostnameOf(pod, service);
    return {
      ip: address,
      ...(hostname !== undefined && { hostname }),
      ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
      targetRef: targetOf(pod),
    };
  }
}
