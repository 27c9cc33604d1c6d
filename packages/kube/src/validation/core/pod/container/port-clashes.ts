// Ports of a pod with the same number and protocol, and which of them stand in each other's way. Only ports that may clash are compared: a
// pod with thousands of ports on different addresses costs no more than its ports.

import type { ContainerPort } from "../../../../api/generated/core-v1.ts";
import type { FieldPath } from "../../../../field-path.ts";

export interface PlacedPort {
  readonly port: ContainerPort;
  readonly at: () => FieldPath;
}

/** An earlier port, and in what way it clashes. */
export interface PortClash {
  readonly clash: "duplicate" | "overlapping" | "dangerously ambiguous";
  readonly other: PlacedPort;
}

/** Ports in the order of the pod. */
export class PortsInUse {
  readonly #all: PlacedPort[] = [];
  /** Positions of the ports without a host port, and of the others by host port, with and without their address. */
  readonly #withoutHostPort: number[] = [];
  readonly #byHostPort = new Map<string, number[]>();

  add(placed: PlacedPort): void {
    const position = this.#all.push(placed) - 1;
    const { hostPort = 0, hostIP = "" } = placed.port;
    if (hostPort === 0) this.#withoutHostPort.push(position);
    else {
      this.#remember(`${hostPort}`, position);
      this.#remember(`${hostPort}/${hostIP}`, position);
    }
  }

  #remember(key: string, position: number): void {
    const positions = this.#byHostPort.get(key);
    if (positions === undefined) this.#byHostPort.set(key, [position]);
    else positions.push(position);
  }

  /** The earlier ports that clash with this one, in their order. */
  *clashes(port: ContainerPort): Iterable<PortClash> {
    const { hostPort = 0, hostIP = "" } = port;
    if (hostPort === 0) {
      for (const other of this.#all) {
        const isSame = (other.port.hostPort ?? 0) === 0 && (other.port.hostIP ?? "") === hostIP;
        yield { clash: isSame ? "duplicate" : "overlapping", other };
      }
      return;
    }
    for (const position of inOrder(this.#withoutHostPort, this.#onHostPort(hostPort, hostIP))) {
      const other = this.#all[position]!;
      if ((other.port.hostPort ?? 0) === 0) yield { clash: "overlapping", other };
      else yield { clash: (other.port.hostIP ?? "") === hostIP ? "duplicate" : "dangerously ambiguous", other };
    }
  }

  /** A port on every address clashes with all of the same number, one on an address with those on it and on every address. */
  #onHostPort(hostPort: number, hostIP: string): Iterable<number> {
    if (hostIP === "") return this.#byHostPort.get(`${hostPort}`) ?? [];
    return inOrder(this.#byHostPort.get(`${hostPort}/`) ?? [], this.#byHostPort.get(`${hostPort}/${hostIP}`) ?? []);
  }
}

/** Two ascending lists as one. */
function* inOrder(first: Iterable<number>, second: Iterable<number>): Iterable<number> {
  const others = second[Symbol.iterator]();
  let other = others.next();
  for (const position of first) {
    for (; !other.done && other.value < position; other = others.next()) yield other.value;
    yield position;
  }
  for (; !other.done; other = others.next()) yield other.value;
}
