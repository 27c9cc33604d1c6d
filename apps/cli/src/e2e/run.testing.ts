// The command for tests: its output, its exit code, and golden files of both. `celadon` runs it in the test's own process, from arguments
// to exit, with the disk and programs of the machine; `installed` and `shell` run the bundle as a process, rebuilt first if the sources are
// newer, for tests of the process itself: signals, pipes, terminals, threads, memory.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { start } from "../start.ts";

export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));
export const BIN: string = join(ROOT, "apps/cli/bin/celadon.mjs");
const GOLDEN = join(ROOT, "apps/cli/testdata/golden");

export interface RunOptions {
  /** The root of the project unless given. */
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  /** Added to an environment that has nothing but PATH, HOME and where compiled code is kept. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProcessOptions extends RunOptions {
  /** Milliseconds after which it is killed, and the test fails. */
  readonly timeout?: number;
  /** Sent when this text has appeared, or this many milliseconds after standard input was read, except for the content of a pipe. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: string | number };
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let bundled: Promise<void> | undefined;

/** Resolves when the bundle is as new as the sources. */
export function bundle(): Promise<void> {
  bundled ??= import(pathToFileURL(join(ROOT, "scripts/bundle-command.mjs")).href).then((script) =>
    script.bundleCommand(),
  );
  return bundled;
}

/** The command in this process. Effects on its own process go to one with streams, a directory and an environment alone. */
export async function celadon(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = [stdout, stderr].map(buffer);
  const exited = new Promise<number>((exit, reject) => {
    const child = {
      stdin: Readable.from(Buffer.from(options.stdin ?? ""), { objectMode: false }),
      stdout,
      stderr,
      env: environment(options),
      execPath: process.execPath,
      argv: [process.execPath, "celadon"],
      cwd: () => options.cwd ?? ROOT,
      on: () => child,
      off: () => child,
      exit,
    };
    start(child as unknown as NodeJS.Process, argv).catch(reject);
  });
  const code = await exited;
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = (await Promise.all(written)).map(String);
  return { code, stdout: out!, stderr: err! };
}

/** The bundled command as a process. */
export async function installed(argv: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  await bundle();
  return program(process.execPath, [BIN, ...argv], options);
}

/** A shell line in which `celadon` is the command: for pipes. */
export async function shell(line: string, options: ProcessOptions = {}): Promise<Ran> {
  await bundle();
  const script = `celadon() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`;
  return program("bash", ["-c", script], options);
}

function environment({ env }: RunOptions): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME: join(ROOT, "node_modules/.cache"), ...env };
}

export function program(name: string, argv: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  const timeout = options.timeout ?? 100_000;
  return new Promise((resolve, reject) => {
    const child = spawn(name, argv, { cwd: options.cwd ?? ROOT, env: environment(options) });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
    const { signal } = options;
    let signalled = false;
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      chunks.push(chunk);
      if (signalled || typeof signal?.after !== "string" || !text(chunks).includes(signal.after)) return;
      signalled = true;
      child.kill(signal.name);
    };
    child.stdout.on("data", collect(out));
    child.stderr.on("data", collect(err));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${name} ${argv.join(" ")}: no exit within ${timeout} ms\n${text(out)}${text(err)}`));
    }, timeout);
    child.on("error", reject);
    child.on("close", (ended, by) => {
      clearTimeout(timer);
      // The exit code as a shell reports it.
      const code = by === "SIGINT" ? 130 : by === "SIGTERM" ? 143 : ended;
      resolve({ code, stdout: text(out), stderr: text(err) });
    });
    child.stdin.on("error", () => {}); // it may end without having read
    child.stdin.end(options.stdin ?? "", () => {
      if (typeof signal?.after === "number") setTimeout(() => child.kill(signal.name), signal.after);
    });
  });
}

/** A directory with these files, gone after the test. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "celadon-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), data);
  }
  return path;
}

/** Compares with testdata/golden/NAME; with UPDATE_GOLDENS=1 writes it. */
export function expectGolden(name: string, text: string): void {
  const path = join(GOLDEN, name);
  if ((process.env.UPDATE_GOLDENS ?? "") !== "") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  if (!existsSync(path))
    throw new Error(`no golden file ${name}: run the test with UPDATE_GOLDENS=1 and look at what it wrote`);
  expect(text, `differs from testdata/golden/${name}; UPDATE_GOLDENS=1 rewrites it`).toBe(readFileSync(path, "utf8"));
}

/** Code, stdout and stderr in one golden file. */
export function expectGoldenRun(name: string, { code, stdout, stderr }: Ran): void {
  const part = (title: string, text: string): string =>
    text === "" ? "" : `--- ${title}\n${text}${text.endsWith("\n") ? "" : "\n(no line end)\n"}`;
  expectGolden(name, `${part("stdout", stdout)}${part("stderr", stderr)}--- exit ${code}\n`);
}
