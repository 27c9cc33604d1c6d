// Addresses of pods, each for one pod at a time, from the range that many networks of clusters use.

import type { Pod } from "@celadon/kube/api/core-v1";

const PREFIX = "10.244";
const SIZE = 65_534;

export class PodAddresses {
  readonly #taken = new Set<string>();
  #last = 0;

  changed(now: Pod | undefined, before: Pod | undefined): void {
    const [address, former] = [now?.status?.podIP, before?.status?.podIP];
    if (former !== undefined && former !== address) this.#taken.delete(former);
    if (address !== undefined) this.#taken.add(address);
  }

  /** A free address; after all of them, one that is taken. */
  next(): string {
    for (let tries = 0; tries < SIZE; tries++) {
      this.#last = (this.#last % SIZE) + 1;
      const address = `${PREFIX}.${this.#last >> 8}.${this.#last & 255}`;
      if (!this.#taken.has(address)) return address;
    }
    return `${PREFIX}.0.1`;
  }
}
