// `celadon up` as a process that can be killed and started again over the same data.

import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "@celadon/storage/testing";

export class UpProcess {
  readonly #command: string;
  readonly #flags: readonly string[];
  readonly directory: string = mkdtempSync(join(tmpdir(), "celadon-up-"));
  #child: ChildProcess | undefined;
  #log = "";
  port = 0;

  /** `command` is the JavaScript of the command. */
  constructor(command: string, flags: readonly string[] = []) {
    this.#command = command;
    this.#flags = flags;
  }

  get pki(): string {
    return join(this.directory, "pki");
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of its standard error. */
  get log(): string {
    return this.#log;
  }

  /** Writes a manifest to the directory that the server reads. */
  manifests(text: string): readonly string[] {
    mkdirSync(this.directory, { recursive: true });
    const file = join(this.directory, "manifests.yaml");
    writeFileSync(file, text);
    return ["-f", file];
  }

  /** Starts on the same port. Resolves when it is ready, or with its exit code. */
  start(flags: readonly string[] = [], nodeFlags: readonly string[] = []): Promise<"ready" | number | null> {
    const child = startChild(
      process.execPath,
      [
        ...[...nodeFlags, this.#command, "up", "--data-dir", this.directory, "--port", String(this.port), "--quiet"],
        ...[...this.#flags, ...flags],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#child = child;
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#log = `${this.#log}${text}`.slice(-4_000);
    });
    return new Promise((resolve) => {
      let said = "";
      child.once("exit", (code) => resolve(code));
      child.stdout!.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (!said.includes("kubectl get namespaces")) return;
        this.port = Number(/https:\/\/[^:]+:(\d+)/.exec(said)?.[1]);
        resolve("ready");
      });
    });
  }

  /** Resolves with its signal or exit code. */
  async end(signal: NodeJS.Signals): Promise<NodeJS.Signals | number | null> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return child.signalCode ?? child.exitCode;
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      child.once("exit", (code, by) => resolve(by ?? code)),
    );
    child.kill(signal);
    return ended;
  }

  /** Resident memory in bytes, where the system reports it. */
  residentBytes(): number {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
      return Number(kilobytes ?? 0) * 1024;
    } catch {
      return 0;
    }
  }

  async remove(): Promise<void> {
    if (this.#child !== undefined) await this.end("SIGKILL");
    rmSync(this.directory, { recursive: true, force: true });
  }
}
