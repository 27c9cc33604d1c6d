// The exclusions of a call: patterns of `--exclude`, relative to the working directory, and those of ignore files, relative to the directory
// of the file: .celadonignore, and .gitignore on request, in the working directory and in every directory that is searched. Flags come
// first, then the nearest file. A file that is named is never left out.

import { posix } from "node:path";
import type { Entry, Io } from "../../program/io.ts";
import { Exclusions } from "./exclusions.ts";
import { codeOf, type Exclusion } from "./find.ts";

class CallExclusions implements Exclusion {
  readonly #patterns: Exclusions;
  readonly #names: readonly string[];
  readonly #io: Io;
  /** By directory, normalized. */
  readonly #ofDirectories = new Map<string, Exclusions>();

  constructor(patterns: readonly string[], names: readonly string[], io: Io) {
    this.#patterns = new Exclusions(patterns);
    this.#names = names;
    this.#io = io;
  }

  async enter(directory: string, entries: readonly Entry[]): Promise<void> {
    const present = new Set(entries.flatMap(({ name, kind }) => (kind === "file" ? [name] : [])));
    await this.read(
      directory,
      this.#names.filter((name) => present.has(name)),
    );
  }

  async read(directory: string, names: readonly string[]): Promise<void> {
    const base = directoryName(directory);
    if (names.length === 0 || this.#ofDirectories.has(base)) return;
    const lines: string[] = [];
    for (const name of names) lines.push(...(await linesOf(posix.join(base, name), this.#io)));
    this.#ofDirectories.set(base, new Exclusions(lines));
  }

  excludes(path: string, isDirectory: boolean): boolean {
    const normal = posix.normalize(path);
    const named = this.#patterns.decides(normal, isDirectory);
    if (named !== undefined || this.#ofDirectories.size === 0) return named === true;
    for (const directory of directoriesOf(normal)) {
      const inside = directory === "." ? normal : normal.slice(directory.length + 1);
      const decided = this.#ofDirectories.get(directory)?.decides(inside, isDirectory);
      if (decided !== undefined) return decided;
    }
    return false;
  }
}

/** The directories that a path lies in, the nearest first; the working directory is the last. */
function directoriesOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let name = posix.dirname(path); name !== "." && name !== "/"; name = posix.dirname(name)) {
    found.push(name);
    if (name.endsWith("..")) break;
  }
  return [...found, "."];
}

/** Normalized, without a slash at its end. */
const directoryName = (path: string): string => posix.join(path, "x").slice(0, -2) || ".";

/** Reads the patterns of a call. The files need not exist. */
export async function readExclusions(patterns: readonly string[], withGit: boolean, io: Io): Promise<Exclusion> {
  const names = withGit ? [".gitignore", ".celadonignore"] : [".celadonignore"];
  const exclusions = new CallExclusions(patterns, names, io);
  await exclusions.read(".", names);
  return exclusions;
}

async function linesOf(file: string, io: Io): Promise<readonly string[]> {
  try {
    return Buffer.from(await io.files.read(file))
      .toString("utf8")
      .split(/\r?\n/);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
