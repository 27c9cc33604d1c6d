// A client of an API server in another process: HTTPS with the administrator's certificate, without retries, which would hide failures.

import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import { join } from "node:path";

// biome-ignore lint/suspicious/noExplicitAny: it is whatever the server answered
type Json = any;

export interface Reply {
  readonly code: number;
  readonly body: Json;
  /** The size of the answer. */
  readonly bytes: number;
}

/** There was no response. */
export class Broken extends Error {
  /** The connection was refused, so the request was not carried out. Otherwise that is unknown. */
  readonly isRefused: boolean;

  constructor({ message, code }: Error & { code?: string }) {
    super(message);
    this.isRefused = code === "ECONNREFUSED";
  }
}

export class Client {
  readonly #port: () => number;
  readonly #agent: Agent;

  /** `pki` is the folder of the server's keys. */
  constructor(pki: string, port: () => number) {
    const [ca, cert, key] = ["ca.crt", "admin.crt", "admin.key"].map((file) => readFileSync(join(pki, file)));
    this.#agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 64 } as object);
    this.#port = port;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Throws `Broken` when there is no response. */
  call(
    method: string,
    path: string,
    body?: object | string | Buffer,
    type = "application/json",
    ms = 60_000,
  ): Promise<Reply> {
    const text = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const headers = text === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const broken = (error: Error): void => reject(new Broken(error));
      const sent = request(this.#options(method, path, headers), (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", broken);
        response.on("end", () => {
          if (!response.complete) return broken(new Error("cut off"));
          const answered = Buffer.concat(chunks);
          resolve({ code: response.statusCode ?? 0, body: parsed(answered), bytes: answered.length });
        });
      });
      sent.setTimeout(ms, () => sent.destroy(new Error("no answer")));
      sent.on("error", broken);
      sent.end(text);
    });
  }

  /** Passes on the events of a watch until it ends; resolves with the response code, 0 without a response. */
  watch(
    path: string,
    event: (event: { type: string; object: Json }) => void,
  ): { ended: Promise<number>; stop(): void } {
    let stop = (): void => {};
    const ended = new Promise<number>((resolve) => {
      const sent = request(this.#options("GET", path, {}), (response) => {
        const code = response.statusCode ?? 0;
        let rest = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop()!;
          // Ignore an event that was cut off.
          if (code === 200) for (const line of lines) event(JSON.parse(line));
        });
        response.on("error", () => resolve(code));
        response.on("close", () => resolve(code));
      });
      sent.on("error", () => resolve(0));
      sent.end();
      stop = () => {
        sent.destroy();
        resolve(0);
      };
    });
    return { ended, stop };
  }

  #options(method: string, path: string, headers: object): RequestOptions {
    return {
      agent: this.#agent,
      host: "127.0.0.1",
      port: this.#port(),
      method,
      path,
      headers: headers as Record<string, string>,
    };
  }
}

function parsed(answered: Buffer): Json {
  const text = answered.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
