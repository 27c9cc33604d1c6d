// IPAddresses: an object for every address that a service has, for as long as it has it. Upstream: pkg/registry/core/service/ipallocator,
// where the object reserves the address; here services themselves are looked at (store/service-addresses.ts), and the objects follow.

import type { KubeObject } from "@celadon/kube";
import type { Service } from "@celadon/kube/api/core-v1";
import type { LocalClient } from "../client/local-client.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";
import { ensure } from "./ensure.ts";

const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
const FAMILY = "ipaddress.kubernetes.io/ip-family";
const ALLOCATOR = "ipallocator.k8s.io";

export class ServiceAddressesController extends QueueController {
  readonly name = "service-addresses";
  readonly #kinds: KindTable;
  readonly #services: ResourceCache;
  readonly #addresses: ResourceCache;
  /** The addresses of the services that exist, and the services. */
  readonly #owners = new Map<string, { readonly namespace: string; readonly name: string }>();
  readonly #byService = new Map<string, readonly string[]>();

  constructor(kinds: KindTable, services: ResourceCache, addresses: ResourceCache) {
    super();
    this.#kinds = kinds;
    this.#services = services;
    this.#addresses = addresses;
  }

  /** Versions before 1.33 do not serve the objects by default. */
  protected follow(): void {
    if (this.#kinds.resource("networking.k8s.io", "v1", "ipaddresses") !== undefined) void this.#begin();
  }

  async #begin(): Promise<void> {
    await this.#addresses.ready();
    for (const { key, object } of this.#services.all()) this.#changed(key, object);
    this.onStop(
      this.#services.subscribe(({ object, type }) =>
        this.#changed(object.key, type === "DELETED" ? undefined : object.object),
      ),
      this.#addresses.subscribe(({ object, type }) => type === "DELETED" && this.add(object.name)),
    );
    // Services may have gone while the server was away.
    for (const { name } of this.#addresses.all()) this.add(name);
  }

  #changed(key: string, service: KubeObject | undefined): void {
    const before = this.#byService.get(key) ?? [];
    const { metadata, spec } = (service ?? {}) as Service;
    const now = (spec?.clusterIPs ?? []).filter((address) => address !== "" && address !== "None");
    for (const address of before) if (!now.includes(address)) this.#owners.delete(address);
    for (const address of now)
      this.#owners.set(address, { namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
    if (now.length === 0) this.#byService.delete(key);
    else this.#byService.set(key, now);
    for (const address of new Set([...before, ...now])) this.add(address);
  }

  protected async sync(client: LocalClient, address: string): Promise<void> {
    const owner = this.#owners.get(address);
    const present = this.#addresses.get(`${this.#addresses.storage.prefix}${address}`)?.object;
    if (owner !== undefined && present === undefined) {
      const labels = { [FAMILY]: address.includes(":") ? "IPv6" : "IPv4", [MANAGED_BY]: ALLOCATOR };
      const spec = { parentRef: { resource: "services", ...owner } };
      await ensure(client, ADDRESSES, address, { metadata: { name: address, labels }, spec });
    }
    if (owner === undefined && present !== undefined && isManaged(present))
      await callServer(client, "DELETE", `${ADDRESSES}/${address}`, {}, [404]);
  }
}

/** Others may keep addresses for themselves. */
function isManaged({ metadata }: KubeObject): boolean {
  return (metadata?.labels as Readonly<Record<string, string>> | undefined)?.[MANAGED_BY] === ALLOCATOR;
}
