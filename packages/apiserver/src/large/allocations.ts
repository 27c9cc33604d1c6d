// Addresses and ports of services are held in the memory of the server that gives them out. Two threads that give them out at the same time
// could give the same to two services: while one of them writes a service, the other does not.

import type { RequestInfo } from "../wire/request-info.ts";

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch"]);

/** The two ways to answer a request. */
interface Ways<T> {
  here(): Promise<T>;
  elsewhere(): Promise<T>;
}

export class Allocations {
  #here = 0;
  #elsewhere = 0;
  #idle: (() => void)[] = [];

  static allocates({ group, resource, verb }: RequestInfo): boolean {
    return resource === "services" && group === "" && WRITES.has(verb);
  }

  /** Answers here, unless the request is large or another one is being answered elsewhere: then there, once nothing is written here any more. */
  async run<T>(isLarge: boolean, { here, elsewhere }: Ways<T>): Promise<T> {
    if (!isLarge && this.#elsewhere === 0) {
      this.#here += 1;
      try {
        return await here();
      } finally {
        this.#here -= 1;
        if (this.#here === 0) for (const go of this.#idle.splice(0)) go();
      }
    }
    this.#elsewhere += 1;
    try {
      if (this.#here > 0) await new Promise<void>((go) => this.#idle.push(go));
      return await elsewhere();
    } finally {
      this.#elsewhere -= 1;
    }
  }
}
