// Forwards connections to one of several addresses, and can reset or silently drop them: a Service, and a network that fails.

import { connect, createServer, type Server, type Socket } from "node:net";

export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targets: readonly number[];
  #next = 0;
  #silent = false;

  constructor(targets: readonly number[]) {
    this.#targets = targets;
    this.#server = createServer((socket) => this.#join(socket));
  }

  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", () => resolve((this.#server.address() as { port: number }).port));
    });
  }

  /** The targets of new connections. */
  target(...ports: readonly number[]): void {
    this.#targets = ports;
  }

  /** Resets every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Drops all data without closing connections. */
  silence(silent: boolean): void {
    this.#silent = silent;
    for (const socket of this.#sockets) silent ? socket.pause() : socket.resume();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(socket: Socket): void {
    const port = this.#targets[this.#next++ % this.#targets.length];
    if (port === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const other = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#silent) from.pause();
    }
  }
}
