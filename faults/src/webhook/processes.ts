// The processes of a campaign: an API server that can be killed and started again, and replicas of the webhook.

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class ServerProcess {
  readonly #file: string;
  readonly #directory = mkdtempSync(join(tmpdir(), "celadon-faults-"));
  #child: ChildProcess | undefined;
  port = 0;

  constructor(file: string) {
    this.#file = file;
  }

  get kubeconfig(): string {
    return join(this.#directory, "kubeconfig");
  }

  /** A kubeconfig that reaches the server through another port. */
  kubeconfigThrough(port: number): string {
    const file = join(this.#directory, "kubeconfig-through");
    writeFileSync(file, readFileSync(this.kubeconfig, "utf8").replaceAll(`:${this.port}`, `:${port}`));
    return file;
  }

  /** Starts again on the same port. */
  async start(): Promise<void> {
    this.#child = fork(this.#file, [this.#directory, String(this.port)], { stdio: "ignore", detached: true });
    const { port } = (await told(this.#child)) as { readonly port: number };
    this.port = port;
  }

  /** Kills without warning. */
  async kill(): Promise<void> {
    const child = this.#child!;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** Compacts all history: a watch from an older version gets 410 Gone. */
  async compact(): Promise<void> {
    const answer = told(this.#child!);
    this.#child!.send("compact");
    await answer;
  }

  async remove(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export interface Replica {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts a replica and waits until it is ready. */
export async function startReplica(
  file: string,
  kubeconfig: string,
  port: number,
  address: string,
  execArgv: readonly string[] = [],
): Promise<Replica> {
  const child = fork(file, [kubeconfig, String(port), address], {
    stdio: "ignore",
    detached: true,
    execArgv: [...execArgv],
  });
  await told(child);
  return { child, port };
}

/** The next message of a process. */
export function told(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a process ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
