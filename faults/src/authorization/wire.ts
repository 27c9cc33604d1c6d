// Requests as bytes to one of the compared servers, and its answers.

import { type ConnectionOptions, connect } from "node:tls";
import type { Connection } from "@celadon/client";

export interface Answered {
  /** 0 without an answer. */
  readonly code: number;
  readonly body: string;
}

/** A server of the comparison. */
export class Side {
  readonly #options: ConnectionOptions;
  readonly #authorization: string | undefined;
  /** Tokens by the users' names. */
  readonly #tokens = new Map<string, string>();

  private constructor(options: ConnectionOptions, authorization: string | undefined) {
    this.#options = options;
    this.#authorization = authorization;
  }

  static async at({ server, ca, insecureSkipVerify, credentials }: Connection): Promise<Side> {
    const { hostname, port } = new URL(server);
    const { certificate, authorization } = await credentials.current();
    const options = { host: hostname, port: Number(port), ...(ca !== undefined && { ca }), ...certificate };
    const trust = insecureSkipVerify ? { rejectUnauthorized: false } : {};
    return new Side({ ...options, ...trust, ALPNProtocols: ["http/1.1"] }, authorization);
  }

  know(user: string, token: string): void {
    this.#tokens.set(user, token);
  }

  /** As the administrator of the kubeconfig. */
  async admin(method: string, path: string, body?: unknown): Promise<Answered> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const head = [
      `${method} ${path} HTTP/1.1`,
      "Host: localhost",
      "Connection: close",
      ...(this.#authorization === undefined ? [] : [`Authorization: ${this.#authorization}`]),
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    return this.#exchange(`${head.join("\r\n")}\r\n\r\n${Buffer.from(text).toString("latin1")}`, this.#options);
  }

  /** `{{name}}` stands for the token of a user. Bytes are characters below 256. */
  send(bytes: string): Promise<Answered> {
    const { cert: _, key: __, ...anonymous } = this.#options;
    return this.#exchange(
      bytes.replace(/\{\{(.+?)\}\}/g, (_match, user: string) => this.#tokens.get(user) ?? "unknown"),
      anonymous,
    );
  }

  #exchange(bytes: string, options: ConnectionOptions): Promise<Answered> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect(options, () => socket.write(bytes, "latin1"));
      const timer = setTimeout(() => socket.destroy(), LONGEST);
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.on("error", () => {});
      socket.once("close", () => {
        clearTimeout(timer);
        resolve(answerOf(Buffer.concat(chunks).toString("utf8")));
      });
    });
  }
}

/** Watches end by themselves after a second. */
const LONGEST = 10_000;

function answerOf(received: string): Answered {
  const text = received.replace(/^(?:HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, "");
  const end = text.indexOf("\r\n\r\n");
  const [, code] = /^HTTP\/1\.[01] (\d{3})/.exec(text) ?? [];
  const head = text.slice(0, end).toLowerCase();
  const body = end === -1 ? "" : text.slice(end + 4);
  return { code: Number(code ?? 0), body: head.includes("transfer-encoding: chunked") ? unchunked(body) : body };
}

/** Sizes count bytes, which equal characters in the compared texts. */
function unchunked(body: string): string {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf("\r\n", at);
    const size = end === -1 ? Number.NaN : Number.parseInt(body.slice(at, end), 16);
    if (!(size > 0)) return text;
    text += body.slice(end + 2, end + 2 + size);
    at = end + 4 + size;
  }
  return text;
}
