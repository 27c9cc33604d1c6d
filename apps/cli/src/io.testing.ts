// Io for tests: files, input and environment from texts; output is kept. No disk, no process.

import { posix } from "node:path";
import { parseFlags } from "./args/parse.ts";
import { optionsOf } from "./inputs/options.ts";
import { wholeText } from "./output/pieces.ts";
import { sizeText } from "./output/size.ts";
import type { Args, Command } from "./program/command.ts";
import type { ExitCode } from "./program/exit.ts";
import type { Entry, Files, Io, Sink } from "./program/io.ts";
import { run } from "./run.ts";

export interface TestSetting {
  /** The file of the command. */
  readonly program?: string;
  /** By path, relative to /virtual or absolute. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Both outputs are a terminal of this width. */
  readonly terminal?: number;
  readonly signal?: AbortSignal;
  /** Answers for programs; without one, none is installed. */
  readonly programs?: (program: string, args: readonly string[]) => { code: number; stdout: string; stderr?: string };
  /** Milliseconds that pass with each look at the clock. */
  readonly tick?: number;
}

export interface TestIo extends Io {
  readonly stdout: string;
  readonly stderr: string;
  /** The files now, by absolute path: those given and those written. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export function testIo(setting: TestSetting = {}): TestIo {
  const cwd = "/virtual";
  const contents = new Map(
    Object.entries(setting.files ?? {}).map(([path, data]) => [posix.resolve(cwd, path), bytesOf(data)]),
  );
  const [out, err] = [sink(setting.terminal), sink(setting.terminal)];
  let now = 0;
  return {
    out,
    err,
    files: memoryFiles(cwd, contents),
    stdin: async (limit) => {
      const data = bytesOf(setting.stdin ?? "");
      if (data.length > limit) throw new RangeError(`larger than ${sizeText(limit)}`);
      return data;
    },
    stdinIsTerminal: setting.stdin === undefined,
    cwd,
    program: { node: process.execPath, file: setting.program ?? "" },
    env: setting.env ?? {},
    now: () => (now += setting.tick ?? 0),
    signal: setting.signal ?? new AbortController().signal,
    catchSignals: () => {},
    hasStarted: () => {},
    endInOrder: () => {},
    run: async (program, args) => {
      const answer = setting.programs?.(program, args);
      if (answer === undefined) throw coded("ENOENT", `spawn ${program}`);
      return { code: answer.code, stdout: bytesOf(answer.stdout), stderr: answer.stderr ?? "" };
    },
    contents,
    get stdout() {
      return out.text();
    },
    get stderr() {
      return err.text();
    },
  };
}

/** Runs a whole command line in process: `runLine(["check", "-f", "a.yaml"], { files })`. */
export async function runLine(
  argv: readonly string[],
  setting: TestSetting = {},
): Promise<{ readonly code: ExitCode; readonly stdout: string; readonly stderr: string; readonly io: TestIo }> {
  const io = testIo(setting);
  const code = await run(argv, io);
  return { code, stdout: io.stdout, stderr: io.stderr, io };
}

/** Args as a verb would get them. */
export function argsFor(command: Command, argv: readonly string[]): Args {
  return parseFlags(optionsOf(command), argv);
}

function sink(terminal: number | undefined): Sink & { text(): string } {
  const written: string[] = [];
  return {
    isTerminal: terminal !== undefined,
    columns: terminal,
    write: (text) => void written.push(text),
    control: (sequence) => void written.push(sequence),
    text: () => written.join(""),
  };
}

function memoryFiles(cwd: string, contents: Map<string, Uint8Array>): Files {
  const at = (path: string): string => posix.resolve(cwd, path);
  const isDirectory = (path: string): boolean =>
    path === cwd || path === "/" || [...contents.keys()].some((name) => name.startsWith(`${path}/`));
  const kind = (path: string): Entry["kind"] | undefined =>
    contents.has(at(path)) ? "file" : isDirectory(at(path)) ? "directory" : undefined;
  return {
    kind: async (path) => kind(path),
    read: async (path) => {
      const data = contents.get(at(path));
      if (data !== undefined) return data;
      throw isDirectory(at(path)) ? coded("EISDIR", `read ${path}`) : coded("ENOENT", `open ${path}`);
    },
    list: async (path) => {
      if (kind(path) !== "directory") throw coded(kind(path) === "file" ? "ENOTDIR" : "ENOENT", `scandir ${path}`);
      const start = at(path) === "/" ? "/" : `${at(path)}/`;
      const names = [...contents.keys()].filter((name) => name.startsWith(start));
      const children = new Set(names.map((name) => name.slice(start.length).split("/")[0]!));
      return [...children].sort().map((name): Entry => ({ name, kind: kind(start + name) ?? "other" }));
    },
    identity: async (path) => at(path),
    real: async (path) => at(path),
    write: async (texts) => {
      for (const path of texts.keys()) if (kind(path) === "directory") throw coded("EISDIR", `write ${path}`);
      for (const [path, text] of texts) contents.set(at(path), bytesOf(wholeText(text)));
    },
    watch: () => {},
  };
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}

function coded(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
