// A tool's answer: the command in a process of its own, which may read below some directories alone, and whose time, memory and output
// have an end. The server outlives every input.

import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import type { Io } from "../program/io.ts";
import type { Invocation } from "./tools.ts";

export interface Bounds {
  /** Absolute directories that may be read; the first is the working directory. */
  readonly directories: readonly string[];
  readonly milliseconds: number;
  /** The longest answer. */
  readonly characters: number;
}

export interface Invoked {
  readonly text: string;
  readonly isError: boolean;
}

const MEGABYTES = 1024;

export function invoke(
  { argv, stdin }: Invocation,
  bounds: Bounds,
  { program, env }: Pick<Io, "program" | "env">,
  signal: AbortSignal,
): Promise<Invoked> {
  return new Promise((resolve) => {
    const child = spawn(program.node, [...(program.file === "" ? [] : [program.file]), ...argv], {
      cwd: bounds.directories[0],
      env: {
        PATH: env.PATH,
        HOME: env.HOME,
        CI: "true",
        NO_COLOR: "1",
        // The single executable takes Node's flags from here alone.
        NODE_OPTIONS: `--max-old-space-size=${MEGABYTES}`,
        CELADON_READ_BELOW: bounds.directories.join(delimiter),
      },
    });
    const out = new Bounded(bounds.characters);
    const err = new Bounded(bounds.characters);
    child.stdout.on("data", (bytes: Buffer) => out.add(bytes));
    child.stderr.on("data", (bytes: Buffer) => err.add(bytes));
    let late = false;
    const stop = (): void => void child.kill("SIGKILL");
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, bounds.milliseconds);
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", (error) => resolve({ text: `cannot start: ${error.message}`, isError: true }));
    child.on("close", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (late) resolve({ text: `no answer within ${bounds.milliseconds / 1000} s; ask about less`, isError: true });
      else if (code === null)
        resolve({ text: "ended without an answer; it may have needed too much memory", isError: true });
      else if (code <= 1) resolve({ text: `${out.text()}${err.text()}`, isError: false });
      else
        resolve({
          text: `${out.text()}${err.text()}files are read below ${bounds.directories.join(", ")} only\n`,
          isError: true,
        });
    });
    child.stdin.on("error", () => {}); // closed early by a command that reads nothing
    child.stdin.end(stdin);
  });
}

/** The beginning of a text, and how much is missing. */
class Bounded {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #text = "";
  #missing = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Buffer): void {
    const more = this.#decoder.decode(bytes, { stream: true });
    const kept = more.slice(0, this.#limit - this.#text.length);
    this.#text += kept;
    this.#missing += more.length - kept.length;
  }

  text(): string {
    return this.#missing === 0 ? this.#text : `${this.#text}\n… ${this.#missing} more characters\n`;
  }
}
