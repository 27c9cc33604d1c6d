// The files that a suite may name. A suite comes from other people: it must not make a test read, and a report show, the files of the user
// who runs it.

import { posix } from "node:path";
import type { Option } from "../program/command.ts";
import type { Entry, Files, Io } from "../program/io.ts";

export const ALLOW_OUTSIDE = {
  name: "allow-outside",
  help: "let suites name files outside of their Git repository (without one: the working directory)",
} as const satisfies Option;

export const OUTSIDE_HINT =
  "move it, start in a directory above both, or trust the suite with --allow-outside; a Git repository is never left without it";

/** Files as a suite may read them: links and `..` lead nowhere else. */
export async function reachOf(suite: string, io: Io, allowOutside: boolean): Promise<Reach> {
  if (allowOutside) return new Reach(undefined, io);
  const directory = await io.files.real(suite === "-" ? "." : posix.dirname(suite.replaceAll("\\", "/")));
  return new Reach(await rootOf(directory, io), io);
}

/**
 * The Git repository of the suite; without one, the working directory, if it is above the suite; else the directory of the suite. The
 * root of the file system does not count: programs in containers often start there.
 */
async function rootOf(directory: string, io: Io): Promise<string> {
  for (let at = directory; posix.dirname(at) !== at; at = posix.dirname(at)) {
    if ((await io.files.kind(posix.join(at, ".git"))) !== undefined) return at;
  }
  const working = await io.files.real(".");
  return posix.dirname(working) !== working && isBelow(directory, working) ? working : directory;
}

export class Reach {
  /** Io that refuses everything else. */
  readonly io: Io;
  readonly #root: string | undefined;
  readonly #files: Files;
  readonly #refused = new Set<string>();

  /** Without a root, everything is within reach. */
  constructor(root: string | undefined, io: Io) {
    this.#root = root;
    this.#files = io.files;
    this.io = root === undefined ? io : { ...io, files: this.#restricted() };
  }

  /** Advice for an issue of a file that was refused. */
  hintFor(path: string): string | undefined {
    return this.#refused.has(path) ? OUTSIDE_HINT : undefined;
  }

  #restricted(): Files {
    const files = this.#files;
    return {
      read: async (path): Promise<Uint8Array> => files.read(await this.#checked(path)),
      list: async (path): Promise<readonly Entry[]> => files.list(await this.#checked(path)),
      kind: async (path): Promise<Entry["kind"] | undefined> => files.kind(await this.#checked(path)),
      identity: async (path): Promise<string> => files.identity(await this.#checked(path)),
      real: (path) => files.real(path),
      write: (texts, mode) => files.write(texts, mode),
      watch: (paths, changed, signal) => files.watch(paths, changed, signal),
    };
  }

  async #checked(path: string): Promise<string> {
    const root = this.#root!;
    if (isBelow(await this.#files.real(path), root)) return path;
    this.#refused.add(path);
    throw Object.assign(new Error(`outside of ${root}, where the suite may name files`), { code: "EOUTSIDE" });
  }
}

const isBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);
