// Where a subresource of a pod, node or service leads, or why it leads nowhere. Upstream: kubernetes pkg/registry/core/{pod,node,service}/strategy.go,
// storage, and apimachinery pkg/util/net (SplitSchemeNamePort).

import { quoteGo } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { badRequest, notFound, serviceUnavailable } from "@celadon/kube/status";
import { keyOf } from "../../kinds/resource.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";

interface Container {
  readonly name: string;
}

interface PodSpec {
  readonly nodeName?: string;
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
}

/** Checks the container that a request names; a pod with one needs no name. */
export function checkContainer({ metadata, spec }: KubeObject, wanted: string): void {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = (spec ?? {}) as PodSpec;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (wanted !== "") {
    if (names.includes(wanted)) return;
    throw new StatusError(badRequest(`container ${wanted} is not valid for pod ${metadata?.name}`));
  }
  if (containers.length === 1) return;
  const choice = containers.length === 0 ? "" : `, choose one of: [${names.join(" ")}]`;
  throw new StatusError(badRequest(`a container name must be specified for pod ${metadata?.name}${choice}`));
}

/** The node that a pod runs on; undefined if it has none yet. One that does not exist is reported as a pod that does not. */
export async function nodeOf(services: Services, { spec }: KubeObject): Promise<KubeObject | undefined> {
  const { nodeName = "" } = (spec ?? {}) as PodSpec;
  if (nodeName === "") return undefined;
  const node = await find(services, "nodes", "", nodeName);
  if (node === undefined) throw new StatusError(notFound({ group: "", resource: "pods" }, nodeName));
  return node;
}

/** `name`, `name:port` or `scheme:name:port`, as proxies take them. */
export interface Target {
  readonly name: string;
  readonly port: string;
}

/** Throws a StatusError where the text names nothing. */
export function targetOf(text: string, what: "pod" | "node" | "service"): Target {
  const parts = text.split(":");
  const scheme = parts.length === 3 ? parts.shift()! : "";
  const [name = "", port = ""] = parts;
  const isScheme = scheme === "" || scheme === "http" || scheme === "https";
  if (parts.length <= 2 && name !== "" && isScheme) return { name, port };
  throw new StatusError(badRequest(`invalid ${what} request ${quoteGo(text)}`));
}

interface ServiceSpec {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** Checks that a service has the port and something behind it. */
export async function checkService(services: Services, { namespace, name }: Exchange): Promise<void> {
  const target = targetOf(name, "service");
  const missing = new StatusError(notFound({ group: "", resource: "services" }, target.name));
  let { port } = target;
  if (/^[+-]?\d+$/.test(port)) {
    const service = await find(services, "services", namespace, target.name);
    if (service === undefined) throw missing;
    const found = ((service.spec ?? {}) as ServiceSpec).ports?.find((entry) => entry.port === Number(port));
    if (found === undefined) {
      const text = `no service port ${Number(port)} found for service ${quoteGo(target.name)}`;
      throw new StatusError(serviceUnavailable(text));
    }
    port = found.name ?? "";
  }
  const endpoints = await find(services, "endpoints", namespace, target.name);
  if (endpoints === undefined) throw missing;
  if (!hasPort(endpoints, port)) {
    throw new StatusError(serviceUnavailable(`no endpoints available for service ${quoteGo(target.name)}`));
  }
}

interface Subset {
  readonly addresses?: readonly unknown[];
  readonly ports?: readonly { readonly name?: string }[];
}

function hasPort(endpoints: KubeObject, port: string): boolean {
  const { subsets = [] } = endpoints as { subsets?: readonly Subset[] };
  return subsets.some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some(({ name = "" }) => name === port),
  );
}

/** An object of the core group, as it is now. */
export async function find(
  services: Services,
  resource: string,
  namespace: string,
  name: string,
): Promise<KubeObject | undefined> {
  const served = services.kinds.resource("", "v1", resource);
  if (served === undefined) return undefined;
  const { cache } = services.handler(served);
  await services.objects.current(cache);
  return cache.get(keyOf(served.storage, namespace, name))?.object;
}
