// Io of a real process. main.ts makes one; nothing else in the command knows Node's files and streams.

import { type FSWatcher, readFileSync, renameSync, rmSync, statSync, watch } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, realpath, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join, resolve, sep } from "node:path";
import { gathered, type Text } from "./output/pieces.ts";
import { sizeText } from "./output/size.ts";
import { UsageError } from "./program/exit.ts";
import { filesBelow } from "./program/files-below.ts";
import type { Entry, Files, Io, Sink } from "./program/io.ts";
import { readOther } from "./program/read-other.ts";
import { FILE_BYTES } from "./sources/decode.ts";

export interface NodeIo {
  readonly io: Io;
  /** Aborts the signal. */
  stop(): void;
  /** Gives up the files that are being written; the old ones stay. */
  stopWriting(): void;
  /** Whether the command has announced that it ends in order. */
  isOrderly(): boolean;
  /** Removes remains of an interrupted write beside its file. */
  cleanUp(): void;
}

/** Handles signals while files are being written, and for commands that run until they are stopped. */
export interface Signals {
  hold(): void;
  release(): void;
}

export function nodeIo(process: NodeJS.Process, signals: Signals, hasStarted: () => void = () => {}): NodeIo {
  const controller = new AbortController();
  const unfinished = new Unfinished(signals);
  const cwd = process.cwd();
  let orderly = false;
  const disk = nodeFiles(cwd, unfinished);
  const readable = process.env.CELADON_READ_BELOW;
  const io: Io = {
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    files: readable === undefined ? disk : filesBelow(disk, readable.split(delimiter)),
    stdin: (limit) => readStream(process.stdin, limit, controller.signal),
    get stdinIsTerminal() {
      return process.stdin.isTTY === true;
    },
    cwd,
    program: { node: process.execPath, file: process.argv[1] ?? "" },
    env: process.env,
    now: () => performance.now(),
    signal: controller.signal,
    catchSignals: () => signals.hold(),
    hasStarted,
    endInOrder: () => {
      orderly = true;
    },
    run: (program, args, limit) => {
      if (readable !== undefined) throw new UsageError(`${program} may not be started`, "CELADON_READ_BELOW is set");
      return runProgram(program, args, limit, cwd, controller.signal);
    },
  };
  return {
    io,
    stop: () => controller.abort(),
    stopWriting: () => unfinished.stop(),
    isOrderly: () => orderly,
    cleanUp: () => {
      for (const path of unfinished.paths) rmSync(path, { force: true });
    },
  };
}

/** Files that are being written beside those they will replace. */
class Unfinished {
  readonly paths: Set<string> = new Set();
  readonly #signals: Signals | undefined;
  readonly #controller = new AbortController();

  constructor(signals?: Signals) {
    this.#signals = signals;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    this.#controller.abort();
  }

  start(path: string): void {
    this.#signals?.hold();
    this.paths.add(path);
  }

  end(path: string): void {
    if (this.paths.delete(path)) this.#signals?.release();
  }
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  const write = (text: string): void => {
    for (const piece of piecesOf(text)) if (stream.writable) stream.write(piece);
  };
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : undefined;
    },
    write,
    control: write,
  };
}

/** Characters that are encoded at once: the bytes of a long report would need memory beside its text. */
const PIECE = 1024 * 1024;

function* piecesOf(text: string): Generator<string> {
  for (let from = 0, to: number; from < text.length; from = to) {
    to = from + PIECE;
    // A character in two halves stays whole.
    if (isHighSurrogate(text.charCodeAt(to - 1))) to--;
    yield text.slice(from, to);
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const SMALL = 256 * 1024;

/** Files of the disk, relative paths from `cwd`. `unfinished` holds the files that are being written. */
export function nodeFiles(cwd: string, unfinished: Unfinished = new Unfinished()): Files {
  const at = (path: string): string => resolve(cwd, path);
  /** The files that directories list as plain: reading one cannot block, as a pipe can. */
  const plain = new Set<string>();
  const kind = async (path: string): Promise<Entry["kind"] | undefined> => {
    try {
      const found = await stat(at(path));
      return found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw error;
      const link = await lstat(at(path)).catch(() => undefined);
      return link?.isSymbolicLink() === true ? "dangling" : undefined;
    }
  };
  return {
    kind,
    read: async (path) => {
      const found = statSync(at(path), { throwIfNoEntry: false });
      if (found !== undefined && !found.isFile() && !found.isDirectory()) return readOther(at(path), found, FILE_BYTES);
      // A small file is read faster than a thread could do it; reads that may block or take long must not delay Ctrl-C.
      return found?.isFile() && found.size < SMALL ? readFileSync(at(path)) : readFile(at(path));
    },
    text: (path) => {
      if (!plain.has(at(path))) return undefined;
      try {
        return readFileSync(at(path), "utf8");
      } catch {
        return undefined; // `read` says why
      }
    },
    list: async (path) => {
      const found = await readdir(at(path), { withFileTypes: true });
      const entries = found.map(async (entry): Promise<Entry> => {
        if (entry.isFile()) {
          plain.add(join(at(path), entry.name));
          return { name: entry.name, kind: "file" };
        }
        if (entry.isDirectory()) return { name: entry.name, kind: "directory" };
        // A link counts as its target.
        const target = await kind(join(at(path), entry.name)).catch(() => undefined);
        return { name: entry.name, kind: target ?? "dangling" };
      });
      return (await Promise.all(entries)).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },
    identity: async (path) => {
      const { dev, ino } = await stat(at(path), { bigint: true });
      return `${dev}:${ino}`;
    },
    real: async (path) => (await realOf(at(path))).replaceAll(sep, "/"),
    write: (texts, mode) => writeAll(texts, cwd, unfinished, mode),
    watch: (paths, changed, signal) => {
      const watchers = paths.map((path) => watchPath(path, at(path), changed));
      // One listener for all: each of its own would be too many for a signal.
      const close = (): void => {
        for (const watcher of watchers) watcher.close();
      };
      if (signal.aborted) close();
      else signal.addEventListener("abort", close, { once: true });
    },
  };
}

/** Beside the files and, when all are written, into their places. A link stays one, and a file keeps its mode. */
async function writeAll(
  texts: ReadonlyMap<string, Text>,
  cwd: string,
  unfinished: Unfinished,
  wanted: number | undefined,
): Promise<void> {
  const staged: { readonly beside: string; readonly target: string }[] = [];
  const directories: string[] = [];
  let file = "";
  try {
    for (const [path, text] of texts) {
      file = path;
      const target = await placeOf(path, cwd);
      const old = await stat(target).catch(() => undefined);
      if (old?.isDirectory() === true) throw coded(path, "EISDIR", "is a directory");
      // Devices and pipes (/dev/stderr) cannot be moved onto.
      if (old !== undefined && !old.isFile()) {
        await writeFile(target, gathered(text));
        continue;
      }
      await makeDirectory(dirname(target), directories);
      const { randomBytes } = await import("node:crypto");
      const beside = `${target}.${randomBytes(4).toString("hex")}.tmp`;
      unfinished.start(beside);
      staged.push({ beside, target });
      const mode = wanted ?? old?.mode;
      await writeFile(beside, gathered(text), { ...(mode !== undefined && { mode }), signal: unfinished.signal });
      if (mode !== undefined) await chmod(beside, mode); // the mask does not apply to what was there
    }
    unfinished.signal.throwIfAborted();
    // At once: a signal finds all of them in place, or none.
    for (const { beside, target } of staged) renameSync(beside, target);
  } catch (error) {
    for (const { beside } of staged) rmSync(beside, { force: true });
    for (const directory of directories.reverse()) await rmdir(directory).catch(() => {}); // fails if it is in use by now
    throw Object.assign(error as Error, { file });
  } finally {
    for (const { beside } of staged) unfinished.end(beside);
  }
}

/** The file that is written, through links. Below the working directory no link leads out of it: others may have put it there. */
async function placeOf(path: string, cwd: string): Promise<string> {
  const lexical = resolve(cwd, path);
  const target = await realOf(lexical);
  if (isBelow(lexical, cwd) && !isBelow(target, await realpath(cwd)))
    throw coded(path, "EOUTSIDE", `leads out of the working directory through a symbolic link, to "${target}"`);
  return target;
}

/** A file that does not exist yet is below the directory that does. A link that leads nowhere is replaced. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realOf(above), basename(path));
  }
}

const isBelow = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);

/** Step by step: below some file systems, such as procfs, Node's own recursive way never ends. Adds new directories to `made`. */
async function makeDirectory(path: string, made: string[]): Promise<void> {
  const missing: string[] = [];
  for (let at = path; (await stat(at).catch(() => undefined)) === undefined && dirname(at) !== at; at = dirname(at)) {
    missing.push(at);
  }
  for (const directory of missing.reverse()) {
    try {
      await mkdir(directory);
      made.push(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // created by another process in the meantime
    }
  }
}

function coded(path: string, code: string, message: string): Error {
  return Object.assign(new Error(`${code}: "${path}" ${message}`), { code });
}

/** A file is watched through its directory: editors put a new file in the place of the old one, and that ends a watch of its own. */
function watchPath(path: string, real: string, changed: (path: string) => void): FSWatcher {
  const isDirectory = statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  const watcher = isDirectory
    ? watch(real, { recursive: true }, (_, name) => changed(name === null ? path : join(path, name)))
    : watch(dirname(real), (_, name) => {
        if (name === null || name === basename(real)) changed(path);
      });
  // A watched file may be deleted; that is a change, not a mistake.
  watcher.on("error", () => changed(path));
  return watcher;
}

async function readStream(stream: NodeJS.ReadStream, limit: number, signal: AbortSignal): Promise<Uint8Array> {
  // Not a list of chunks to be joined: with that, a long input would be in memory twice.
  let bytes: Buffer = Buffer.allocUnsafe(64 * 1024);
  let size = 0;
  const stop = (): void => void stream.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const before = size;
      size += chunk.length;
      if (size > limit) throw new RangeError(`larger than ${sizeText(limit)}`);
      if (size > bytes.length) bytes = enlarged(bytes.subarray(0, before), size * 2);
      chunk.copy(bytes, before);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  return bytes.subarray(0, size);
}

function enlarged(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size);
  bytes.copy(larger);
  return larger;
}

async function runProgram(
  program: string,
  args: readonly string[],
  limit: number,
  cwd: string,
  signal: AbortSignal,
): Promise<{ code: number; stdout: Uint8Array; stderr: string }> {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const options = { cwd, maxBuffer: limit, encoding: "buffer", signal } as const;
    execFile(program, [...args], options, (error, stdout, stderr) => {
      // A program that ran and failed has a number; one that could not run has a name, such as ENOENT.
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr: stderr.toString("utf8") });
    });
  });
}
