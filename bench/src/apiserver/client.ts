// A keep-alive client of a Kubernetes API over HTTPS, as bare as Node has it, so that the server is measured and not the client.

import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";

/** The address of a server, and the identity of its client. */
export interface Target {
  readonly port: number;
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface Sent {
  readonly body?: unknown;
  readonly type?: string;
  /** Other codes than these are errors: a refused request costs less than a served one. */
  readonly expect?: readonly number[];
}

const SUCCESS = [200, 201, 202];

export class Client {
  readonly #target: Target;
  readonly #agent: Agent;
  readonly #watches: Agent;

  constructor(target: Target, connections: number) {
    const { certificate: cert, key } = target;
    const tls = { rejectUnauthorized: false, ...(cert === undefined ? {} : { cert, key }) };
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...tls });
    this.#watches = new Agent({ keepAlive: false, ...tls });
  }

  /** The answer's code and bytes. */
  async call(method: string, path: string, sent: Sent = {}): Promise<{ code: number; body: Buffer }> {
    const response = await this.#open(method, path, sent, this.#agent);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const code = response.statusCode ?? 0;
    if (!(sent.expect ?? SUCCESS).includes(code))
      throw new Error(`${method} ${path}: ${code} ${body.subarray(0, 1000)}`);
    return { code, body };
  }

  async json(method: string, path: string, sent: Sent = {}): Promise<Json> {
    return JSON.parse((await this.call(method, path, sent)).body.toString());
  }

  /** A watch on a connection of its own. */
  async watch(path: string): Promise<IncomingMessage> {
    const response = await this.#open("GET", path, {}, this.#watches);
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
    return response;
  }

  close(): void {
    this.#agent.destroy();
    this.#watches.destroy();
  }

  #open(
    method: string,
    path: string,
    { body, type = "application/json" }: Sent,
    agent: Agent,
  ): Promise<IncomingMessage> {
    const { port, token } = this.#target;
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined ? {} : { "content-type": type, "content-length": payload.length }),
    };
    return new Promise((resolve, reject) => {
      const open = request({ host: "127.0.0.1", port, method, path, headers, agent }, resolve);
      open.on("error", reject);
      open.end(payload);
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of servers that are compared, read in a few places
export type Json = any;
