// The endpoints of a service: its pods with their addresses, grouped by the ports that they offer.

import type { Pod, Service } from "@celadon/kube/api/core-v1";
import { isFinished, isReady } from "../frame/pods.ts";
import { isDeleted, metaOf } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";

/** A port as endpoints have it. */
export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** A pod among the endpoints of a service. */
export interface PodEndpoint {
  readonly pod: Pod;
  readonly address: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly PodEndpoint[];
}

/** A service without a selector has endpoints that others write. */
export const hasSelector = ({ spec }: Service): boolean =>
  spec?.type !== "ExternalName" && Object.keys(spec?.selector ?? {}).length > 0;

export function selects({ spec }: Service, pod: object): boolean {
  const labels = metaOf(pod).labels ?? {};
  return Object.entries(spec?.selector ?? {}).every(([key, value]) => labels[key] === value);
}

export function endpointGroups(world: World, service: Service, family: string): readonly EndpointGroup[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: PodEndpoint[] }>();
  const isPublished = service.spec?.publishNotReadyAddresses === true;
  const pods = world
    .view("pods")
    .in(metaOf(service).namespace ?? "")
    .filter((pod) => selects(service, pod) && !isFinished(pod));
  for (const pod of pods) {
    const address = pod.status?.podIPs?.map(({ ip = "" }) => ip).find((ip) => ip.includes(":") === (family === "IPv6"));
    if (address === undefined) continue;
    const ports = portsOf(service, pod);
    if (ports === undefined) continue;
    const key = ports.map(({ name, port, protocol }) => `${name} ${port} ${protocol}`).join();
    const serving = isReady(pod) || isPublished;
    const terminating = isDeleted(pod);
    const endpoint = { pod, address, ready: serving && (!terminating || isPublished), serving, terminating };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ports, endpoints: [endpoint] });
    else group.endpoints.push(endpoint);
  }
  return [...groups.values()];
}

/** The ports of a service at a pod, which may call them otherwise; a pod that lacks one by that name does not offer it. */
function portsOf({ spec }: Service, pod: Pod): readonly EndpointPort[] | undefined {
  const ports: EndpointPort[] = [];
  for (const { name, port = 0, protocol = "TCP", targetPort, appProtocol } of spec?.ports ?? []) {
    const target = typeof targetPort === "string" ? namedPort(pod, targetPort, protocol) : (targetPort ?? port);
    if (target === undefined) continue;
    ports.push({
      ...(name !== undefined && { name }),
      port: target || port,
      protocol,
      ...(appProtocol != null && { appProtocol }),
    });
  }
  return ports.length > 0 || (spec?.ports ?? []).length === 0 ? ports : undefined;
}

function namedPort({ spec }: Pod, name: string, protocol: string): number | undefined {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports }) => ports ?? [])
    .find((port) => port.name === name && (port.protocol ?? "TCP") === protocol)?.containerPort;
}

/** The pod behind an address. */
export const targetOf = (pod: Pod): object => {
  const { name, namespace, uid } = metaOf(pod);
  return { kind: "Pod", namespace, name, uid };
};

/** The name of a pod in the DNS of a service: only pods that ask for this service have one. */
export function hostnameOf({ spec }: Pod, service: Service): string | undefined {
  const { name } = metaOf(service);
  return spec?.hostname && spec.subdomain === name ? spec.hostname : undefined;
}

/** The keys of the services of a pod. */
export function servicesOf(world: World, pod: object): readonly string[] {
  const { namespace = "" } = metaOf(pod);
  return world
    .view("services")
    .in(namespace)
    .filter((service) => hasSelector(service) && selects(service, pod))
    .map((service) => `${namespace}/${metaOf(service).name}`);
}
