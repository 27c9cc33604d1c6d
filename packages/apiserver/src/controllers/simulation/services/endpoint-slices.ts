// EndpointSlices of services. Upstream: kubernetes pkg/controller/endpointslice, staging/src/k8s.io/endpointslice.

import { semanticEqual } from "@celadon/base";
import type { Service } from "@celadon/kube/api/core-v1";
import type { EndpointSlice } from "@celadon/kube/api/discovery-v1";
import { isDeleted, keyOf, metaOf, ownerReference, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import {
  type EndpointGroup,
  endpointGroups,
  hasSelector,
  hostnameOf,
  type PodEndpoint,
  servicesOf,
  targetOf,
} from "./endpoint-sets.ts";

const SLICES = "endpointslices.discovery.k8s.io";
export const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";
export const HEADLESS = "service.kubernetes.io/headless";
const MOST_ENDPOINTS = 100;

/** A slice as it should be, without its name. */
interface Wanted {
  readonly addressType: string;
  readonly ports: readonly object[];
  readonly endpoints: readonly object[];
}

export class EndpointSliceStandIn extends StandIn<"services"> {
  readonly name = "endpointslice";

  constructor(world: World) {
    super(world, "services", world.controller("endpointslice-controller"));
  }

  protected override followOthers(): void {
    this.world.view("pods").follow((now, before) => {
      for (const pod of [now, before])
        if (pod !== undefined) for (const key of servicesOf(this.world, pod)) this.add(key);
    });
    this.world.view(SLICES).follow((now, before) => {
      const slice = now ?? before;
      const service = metaOf(slice).labels?.[SERVICE_NAME];
      if (service !== undefined && metaOf(slice).labels?.[MANAGED_BY] === MANAGER)
        this.add(`${metaOf(slice).namespace}/${service}`);
    });
  }

  protected async look(service: Service): Promise<void> {
    if (!hasSelector(service)) return;
    const families = service.spec?.ipFamilies ?? ["IPv4"];
    const wanted = families.flatMap((family) => this.#slices(service, family));
    const present = [...this.#present(service)];
    const missing: Wanted[] = [];
    for (const slice of wanted) {
      const at = present.findIndex(
        (one) => one.addressType === slice.addressType && semanticEqual(one.ports ?? [], slice.ports),
      );
      const [known] = at === -1 ? [] : present.splice(at, 1);
      if (known === undefined) missing.push(slice);
      else await this.#change(service, known, slice);
    }
    for (const slice of missing) {
      const [known] = present.splice(0, 1);
      if (known !== undefined && known.addressType === slice.addressType) await this.#change(service, known, slice);
      else {
        if (known !== undefined) await this.actor.delete(SLICES, known);
        await this.#create(service, slice);
      }
    }
    for (const slice of present) await this.actor.delete(SLICES, slice);
  }

  #present(service: Service): readonly EndpointSlice[] {
    const { namespace = "", name } = metaOf(service);
    return this.world
      .view(SLICES)
      .in(namespace)
      .filter((slice) => {
        const { labels } = metaOf(slice);
        return labels?.[SERVICE_NAME] === name && labels?.[MANAGED_BY] === MANAGER && !isDeleted(slice);
      });
  }

  /** A service without pods has one slice without endpoints. */
  #slices(service: Service, addressType: string): readonly Wanted[] {
    const groups = endpointGroups(this.world, service, addressType);
    if (groups.length === 0) return [{ addressType, ports: [], endpoints: [] }];
    return groups.flatMap(({ ports, endpoints }: EndpointGroup) => {
      const all = endpoints.map((endpoint) => this.#endpoint(service, endpoint));
      const slices: Wanted[] = [];
      for (let at = 0; at < all.length; at += MOST_ENDPOINTS)
        slices.push({
          addressType,
          ports: ports.map((port) => ({ name: "", ...port })),
          endpoints: all.slice(at, at + MOST_ENDPOINTS),
        });
      return slices;
    });
  }

  #endpoint(service: Service, { pod, address, ready, serving, terminating }: PodEndpoint): object {
    const nodeName = pod.spec?.nodeName;
    const node = this.world.view("nodes").get("", nodeName ?? "");
    const zone = metaOf(node).labels?.["topology.kubernetes.io/zone"];
    const hostname = hostnameOf(pod, service);
    return {
      addresses: [address],
      conditions: { ready, serving, terminating },
      ...(hostname !== undefined && { hostname }),
      targetRef: targetOf(pod),
      ...(nodeName && { nodeName }),
      ...(zone !== undefined && { zone }),
    };
  }

  #labels(service: Service): Readonly<Record<string, string>> {
    const { name = "", labels } = metaOf(service);
    const isHeadless = service.spec?.clusterIP === "None";
    return {
      ...labels,
      [SERVICE_NAME]: name,
      [MANAGED_BY]: MANAGER,
      ...(isHeadless && { [HEADLESS]: "" }),
    } as Readonly<Record<string, string>>;
  }

  async #create(service: Service, slice: Wanted): Promise<void> {
    const { namespace = "", name = "" } = metaOf(service);
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: this.#labels(service),
      ownerReferences: [ownerReference("v1", "Service", service)],
    };
    await this.actor.create(SLICES, namespace, { metadata, ...slice });
  }

  async #change(service: Service, known: EndpointSlice, slice: Wanted): Promise<void> {
    const labels = this.#labels(service);
    if (
      semanticEqual(known.endpoints ?? [], slice.endpoints) &&
      semanticEqual(known.ports ?? [], slice.ports) &&
      semanticEqual(metaOf(known).labels, labels)
    )
      return;
    const changed = { ...known, ...slice, metadata: { ...metaOf(known), labels } } as EndpointSlice;
    if (!(await this.actor.update(SLICES, changed))) this.add(keyOf(service));
  }
}
