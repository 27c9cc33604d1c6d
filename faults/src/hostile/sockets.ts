// Raw connections: TLS with the administrator's certificate, and nothing that would keep a client from misbehaving.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";

export class Sockets {
  readonly #options: object;
  readonly #open = new Set<TLSSocket>();

  constructor(pki: string, port: number) {
    const [ca, cert, key] = ["ca.crt", "admin.crt", "admin.key"].map((file) => readFileSync(join(pki, file)));
    this.#options = { host: "127.0.0.1", port, ca, cert, key, allowHalfOpen: true };
  }

  open(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#options, () => resolve(socket));
      socket.on("error", reject);
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** Sends bytes and closes; resolves with everything received until the other side closes too. */
export function exchange(socket: TLSSocket, bytes: Uint8Array, ms: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    socket.once("end", () => socket.end());
    socket.end(bytes);
  });
}
