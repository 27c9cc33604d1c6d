// A client of the protocol, for tests: the built command as its server, messages framed by hand.

import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { BIN, bundle } from "../e2e/run.testing.ts";

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The time for which a test waits for an answer before it fails. */
const WAIT_MS = 20_000;

export class TestClient {
  readonly #process: ChildProcess;
  readonly #seen: Message[] = [];
  #waiting: (() => void)[] = [];
  #buffer = Buffer.alloc(0);
  #count = 0;
  readonly exited: Promise<number | null>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.stdout!.on("data", (chunk: Buffer) => this.#read(chunk));
    // A server that has ended does not take the answer to its last question; one that ended too early is noticed by who waits.
    process.stdin!.on("error", () => undefined);
    this.exited = new Promise((resolve) => process.on("exit", resolve));
  }

  static async start(): Promise<TestClient> {
    await bundle();
    const child = spawn(process.execPath, [BIN, "lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return new TestClient(child);
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf("\r\n\r\n");
      if (end === -1) break;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.subarray(0, end).toString())?.[1]);
      if (this.#buffer.length < end + 4 + length) break;
      const message = JSON.parse(this.#buffer.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#seen.push(message);
      // The client grants the server's requests.
      if (message.id !== undefined && message.method !== undefined) this.#send({ id: message.id, result: null });
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.#process.stdin!.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin!.write(body);
  }

  notify(method: string, params: unknown = {}): void {
    this.#send({ method, params });
  }

  async ask<T>(method: string, params: unknown = {}): Promise<T> {
    const { error, result } = await this.tryAsk(method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  tryAsk(method: string, params: unknown): Promise<Message> {
    const id = ++this.#count;
    this.#send({ id, method, params });
    return this.until((message) => message.id === id && message.method === undefined);
  }

  /** The first message, old or new, that fits; it is taken away. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const at = this.#seen.findIndex(fits);
      if (at !== -1) return this.#seen.splice(at, 1)[0]!;
      if (Date.now() > end) throw new Error("no such message came");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Diagnostics that were pushed for a file and fit. */
  async pushed(uri: string, fits: (codes: readonly string[]) => boolean): Promise<readonly string[]> {
    const codesOf = ({ params }: Message): string[] =>
      (params as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
    const found = await this.until(
      (message) =>
        message.method === "textDocument/publishDiagnostics" &&
        (message.params as { uri: string }).uri === uri &&
        fits(codesOf(message)),
    );
    return codesOf(found);
  }

  async stop(): Promise<number | null> {
    await this.ask("shutdown", null);
    this.notify("exit", null);
    return this.exited;
  }
}
