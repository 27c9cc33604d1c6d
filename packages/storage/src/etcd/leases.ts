// Leases for keys with a TTL. Keys written within a short time share a lease, as in kube-apiserver: a lease is a separate write.

import { isStoreError } from "../error.ts";
import type { Client } from "./client.ts";
import { leaseExists } from "./failure.ts";
import { encodeLeaseGrant, METHOD } from "./messages.ts";

interface Lease {
  readonly id: Promise<number>;
  /** When it is too old for another key, in milliseconds since 1970. */
  readonly until: number;
  keys: number;
}

/** A lease serves keys for a twentieth of its time, a minute at most, and a thousand of them. */
const SHARE = 0.05;
const LONGEST_SHARE = 60;
const MOST_KEYS = 1_000;

export class Leases {
  readonly #client: Client;
  readonly #leases = new Map<number, Lease>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** A lease that lasts for at least so many seconds. */
  for(seconds: number): Promise<number> {
    const ttl = Math.max(1, Math.ceil(seconds));
    const current = this.#leases.get(ttl);
    if (current !== undefined && Date.now() < current.until && current.keys < MOST_KEYS) {
      current.keys += 1;
      return current.id;
    }
    const shared = Math.min(Math.floor(ttl * SHARE), LONGEST_SHARE);
    const lease: Lease = { id: this.#grant(ttl + shared), until: Date.now() + shared * 1000, keys: 1 };
    this.#leases.set(ttl, lease);
    lease.id.catch(() => {
      if (this.#leases.get(ttl) === lease) this.#leases.delete(ttl);
    });
    return lease.id;
  }

  /**
   * The id is ours, below 2^53, so a grant whose answer was lost may be requested again: then the lease exists. One that nobody uses
   * expires by itself.
   */
  async #grant(seconds: number): Promise<number> {
    const id = 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));
    const call = { method: METHOD.leaseGrant, request: encodeLeaseGrant(seconds, id), isRead: true };
    try {
      await this.#client.call(call, () => undefined);
    } catch (error) {
      if (!isStoreError(error) || !leaseExists(error.cause)) throw error;
    }
    return id;
  }
}
