// Excludes files of directories by patterns of `--exclude`, of .celadonignore, and of .gitignore on request. They are git's patterns,
// relative to the working directory; of several that match a path the last one decides. A file that is named is never left out.

import { posix } from "node:path";
import type { Io } from "../../program/io.ts";
import { codeOf } from "./find.ts";
import { parseSegment, type Segment } from "./glob.ts";

interface Rule {
  readonly segments: readonly Segment[];
  /** `!pattern`: includes again a path that an earlier rule excluded. */
  readonly includes: boolean;
  readonly directoriesOnly: boolean;
}

export class Exclusions {
  readonly #rules: readonly Rule[];

  constructor(patterns: readonly string[]) {
    this.#rules = patterns.flatMap((pattern) => ruleOf(pattern) ?? []);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Whether the patterns match a file or a directory that it lies in. */
  covers(path: string): boolean {
    const names = posix.normalize(path).split("/");
    return names.some((_, i) => this.excludes(names.slice(0, i + 1).join("/"), i + 1 < names.length));
  }

  /** Whether a path below the working directory is excluded by itself: directories above it were decided before. */
  excludes(path: string, isDirectory: boolean): boolean {
    const names = posix.normalize(path).split("/");
    let isExcluded = false;
    for (const { segments, includes, directoriesOnly } of this.#rules) {
      if (isExcluded === includes && (isDirectory || !directoriesOnly) && matches(segments, names))
        isExcluded = !includes;
    }
    return isExcluded;
  }
}

/** Reads the patterns of a call. The files need not exist. */
export async function readExclusions(patterns: readonly string[], withGit: boolean, io: Io): Promise<Exclusions> {
  const files = withGit ? [".gitignore", ".celadonignore"] : [".celadonignore"];
  const lines: string[] = [];
  for (const file of files) lines.push(...(await linesOf(file, io)));
  return new Exclusions([...lines, ...patterns]);
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

/** Undefined for a blank line or a comment. */
function ruleOf(line: string): Rule | undefined {
  const text = line.replace(/(?<!\\) +$/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const includes = text.startsWith("!");
  const pattern = includes ? text.slice(1) : text;
  const directoriesOnly = pattern.endsWith("/");
  const parts = pattern.replace(/\/+$/, "").split("/");
  // Without a slash in it, a pattern is a name anywhere.
  const anchored = parts.length > 1 ? parts.filter((part, i) => i > 0 || part !== "") : ["**", ...parts];
  return { segments: anchored.map(parseSegment), includes, directoriesOnly };
}

/** Whether all names match all segments, where `**` takes any number of names. */
function matches(segments: readonly Segment[], names: readonly string[]): boolean {
  // reached[j]: the segments so far can match the first j names.
  let reached = names.map(() => false);
  reached = [true, ...reached];
  for (const segment of segments) {
    const next = reached.map(() => false);
    for (let j = 0; j < reached.length; j++) {
      if (segment.anyDepth) next[j] = reached[j]! || (j > 0 && next[j - 1]!);
      else if (j > 0) next[j] = reached[j - 1]! && segment.matches(names[j - 1]!);
    }
    reached = next;
  }
  return reached.at(-1)!;
}
