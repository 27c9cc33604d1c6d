// Finds the address of a service of the cluster: a ready endpoint of its slices, at the port the service names. Upstream: apiserver
// pkg/util/proxy.

import { quoteGo } from "@celadon/base";
import type { Service } from "@celadon/kube/api/core-v1";
import type { EndpointSlice } from "@celadon/kube/api/discovery-v1";
import { keyOf } from "../kinds/resource.ts";
import type { ResourceCache } from "../store/cache.ts";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export class ServiceEndpoints {
  readonly #services: ResourceCache;
  readonly #slices: ResourceCache;

  constructor(services: ResourceCache, slices: ResourceCache) {
    this.#services = services;
    this.#slices = slices;
  }

  /** Throws an Error that says why it cannot be resolved. */
  async resolve(namespace: string, name: string, port: number): Promise<Endpoint> {
    await Promise.all([this.#services.ready(), this.#slices.ready()]);
    const found = this.#services.get(keyOf(this.#services.storage, namespace, name))?.object as Service | undefined;
    if (found === undefined) throw new Error(`service ${quoteGo(name)} not found`);
    const { type, ports = [] } = found.spec ?? {};
    if (type === "ExternalName") throw new Error(`unsupported service type ${quoteGo(type)}`);
    const own = ports.find((servicePort) => servicePort.port === port);
    if (own === undefined) throw new Error(`no service port ${port} found for service ${quoteGo(name)}`);
    const endpoint = this.#endpoint(namespace, name, own.name ?? "");
    if (endpoint === undefined) throw new Error(`no endpoints available for service ${quoteGo(name)}`);
    return endpoint;
  }

  /** Any ready endpoint. */
  #endpoint(namespace: string, service: string, portName: string): Endpoint | undefined {
    const [from, to] = this.#slices.range(`${this.#slices.storage.prefix}${namespace}/`);
    const endpoints = this.#slices
      .all()
      .slice(from, to)
      .filter(({ labels }) => labels["kubernetes.io/service-name"] === service)
      .flatMap(({ object }) => {
        const { ports, endpoints: all } = object as EndpointSlice;
        const port = (ports ?? []).find((endpointPort) => (endpointPort.name ?? "") === portName)?.port;
        if (port === undefined) return [];
        const ready = (all ?? []).filter(({ conditions }) => conditions?.ready !== false);
        return ready.flatMap(({ addresses }) => (addresses?.[0] === undefined ? [] : [{ host: addresses[0], port }]));
      });
    return endpoints[Math.floor(Math.random() * endpoints.length)];
  }
}
