// Addresses and ports of services: which are taken, and which are free. An address for a request is held for it until the service is
// stored, or given back after a while.

import { Invalid } from "@celadon/kube/errors";
import { imaginaryNetwork, type ServiceNetwork } from "@celadon/kube/validation";
import type { ResourceCache } from "./cache.ts";
import type { StoredObject } from "./stored-object.ts";

const HELD = 10_000;
const FIRST_PORT = 30_000;
const PORTS = 2_768;

interface ServiceSpec {
  readonly clusterIPs?: readonly string[];
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly healthCheckNodePort?: number;
}

export class ServiceAddresses {
  readonly #range: string;
  readonly #taken = new Map<string | number, number>();
  readonly #held = new Map<string | number, number>();
  readonly #now: () => number;
  readonly #firstAddress: number;
  #nextAddress: number;
  #nextPort = 0;

  constructor(range: string, now: () => number) {
    this.#range = range;
    this.#now = now;
    this.#firstAddress = this.#nextAddress = firstAddress(sizeOf(range));
  }

  follow(services: ResourceCache): void {
    for (const object of services.all()) this.#count(object, 1);
    services.subscribe(({ type, object, previous }) => {
      if (previous !== undefined) this.#count(previous, -1);
      if (type !== "DELETED") this.#count(object, 1);
    });
  }

  /** For one request, which may keep the addresses of the service it replaces. */
  network(dryRun: boolean): ServiceNetwork {
    let made: ServiceNetwork | undefined;
    // Only services ask for it.
    const range = (): ServiceNetwork => (made ??= imaginaryNetwork([this.#range], dryRun));
    return {
      get families() {
        return range().families;
      },
      takeAddress: (family, wanted) => {
        const asked = wanted ?? this.#freeAddress();
        if (asked === undefined) return new Invalid("range is full");
        const given = range().takeAddress(family, asked);
        if (given instanceof Invalid) return given;
        // A dry run does not look which addresses are taken.
        if (!dryRun && this.#isTaken(given)) return new Invalid("provided IP is already allocated");
        return this.#hold(given, dryRun);
      },
      takePort: (wanted) => {
        const given = range().takePort(wanted ?? (dryRun ? undefined : this.#freePort()));
        if (given instanceof Invalid) return given;
        if (this.#isTaken(given)) return new Invalid("provided port is already allocated");
        return this.#hold(given, dryRun);
      },
    };
  }

  #count({ object }: StoredObject, change: 1 | -1): void {
    const { clusterIPs = [], ports = [], healthCheckNodePort } = (object.spec ?? {}) as ServiceSpec;
    const nodePorts = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort];
    for (const used of [...clusterIPs, ...nodePorts]) {
      if (used === undefined || used === 0 || used === "None" || used === "") continue;
      const count = (this.#taken.get(used) ?? 0) + change;
      if (count > 0) this.#taken.set(used, count);
      else this.#taken.delete(used);
      this.#held.delete(used);
    }
  }

  #isTaken(what: string | number): boolean {
    if (this.#taken.has(what)) return true;
    const until = this.#held.get(what);
    return until !== undefined && until > this.#now();
  }

  #hold<T extends string | number>(what: T, dryRun: boolean): T {
    if (!dryRun) this.#held.set(what, this.#now() + HELD);
    return what;
  }

  #freeAddress(): string | undefined {
    // The first address of a range is that of the network, the last one reaches all of it.
    const last = sizeOf(this.#range) - 2;
    for (let tried = 0; tried < last; tried++) {
      const text = addressIn(this.#range, this.#nextAddress);
      this.#nextAddress = this.#nextAddress < last ? this.#nextAddress + 1 : this.#firstAddress;
      if (!this.#isTaken(text)) return text;
    }
    // Addresses that are left to requests serve when there is no other.
    for (let offset = 1; offset < this.#firstAddress; offset++) {
      const text = addressIn(this.#range, offset);
      if (!this.#isTaken(text)) return text;
    }
    return undefined;
  }

  #freePort(): number {
    for (let tried = 0; tried < PORTS; tried++) {
      const port = FIRST_PORT + this.#nextPort;
      this.#nextPort = (this.#nextPort + 1) % PORTS;
      if (!this.#isTaken(port)) return port;
    }
    return FIRST_PORT;
  }
}

/** The number of addresses in a range of IPv4. */
function sizeOf(range: string): number {
  return 2 ** (32 - Number(range.split("/")[1] ?? "16"));
}

/**
 * The place of the first address that is given unasked: the first sixteenth of a range, and 16 to 256 addresses, is left to requests. Upstream:
 * pkg/registry/core/service/ipallocator calculateRangeOffset.
 */
function firstAddress(size: number): number {
  return size < 32 ? 1 : Math.min(Math.max(Math.floor(size / 16), 16), 256);
}

/** The address so many places behind the first of a range. */
export function addressIn(range: string, offset: number): string {
  const [base = ""] = range.split("/");
  const number = base.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) + offset;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}
