// Excludes paths by git's patterns: of several that match a path the last one decides.

import { posix } from "node:path";
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
    return this.decides(path, isDirectory) === true;
  }

  /** The same; undefined if no pattern matches the path. */
  decides(path: string, isDirectory: boolean): boolean | undefined {
    const names = posix.normalize(path).split("/");
    let decided: boolean | undefined;
    for (const { segments, includes, directoriesOnly } of this.#rules) {
      if (decided !== !includes && (isDirectory || !directoriesOnly) && matches(segments, names)) decided = !includes;
    }
    return decided;
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
