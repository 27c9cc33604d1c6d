// Paths as the user wrote them → files to read, in a fixed order: the order of the arguments, and by name within a directory.

import { posix } from "node:path";
import { thrownText } from "@celadon/base";
import { sizeText } from "../../output/size.ts";
import type { Entry, Io } from "../../program/io.ts";
import { FILE_BYTES } from "../decode.ts";
import { type SourceIssue, type SourceNote, STDIN } from "../issue.ts";
import { type Glob, isGlob, parseGlobs, type Segment } from "./glob.ts";

export interface FoundFile {
  readonly path: string;
  /** Named by the user, and so meant to be a manifest; other files of a directory may be anything. */
  readonly named: boolean;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly issues: readonly SourceIssue[];
  /** The files in directories that have the name of a manifest and cannot be one. */
  readonly notes: readonly SourceNote[];
}

const MANIFEST = /\.(?:ya?ml|json|csr)$/i;

export const isManifestName = (name: string): boolean => MANIFEST.test(name);

/** Directories that do not contain manifests of the user. */
const isSkipped = (name: string): boolean => name.startsWith(".") || name === "node_modules";

const MAX_DEPTH = 64;

/** `command` is the command that a hint suggests to pipe into; `hidden`, directories to enter though they begin with a point. */
export async function findFiles(
  paths: readonly string[],
  command: string,
  io: Io,
  hidden: readonly string[] = [],
  exclusion: Exclusion = NOTHING_EXCLUDED,
): Promise<FoundFiles> {
  const search = new Search(command, io, hidden, exclusion);
  for (const path of paths) await search.path(path);
  if (search.excluded > 0) {
    const what = search.excluded === 1 ? "1 file or directory" : `${search.excluded} files and directories`;
    search.notes.push({ file: paths.join(", "), message: `left out ${what} by --exclude or ignore files` });
  }
  return { files: [...search.files.values()], issues: search.issues, notes: search.notes };
}

/** Decides which entries of directories are left out. */
export interface Exclusion {
  /** Called before anything that lies in the directory is asked about. */
  enter(directory: string, entries: readonly Entry[]): Promise<void>;
  excludes(path: string, isDirectory: boolean): boolean;
}

export const NOTHING_EXCLUDED: Exclusion = { enter: async () => {}, excludes: () => false };

class Search {
  /** By normalized path: a file that several arguments reach is read once. */
  readonly files = new Map<string, FoundFile>();
  readonly issues: SourceIssue[] = [];
  readonly notes: SourceNote[] = [];
  /** Files and directories that were left out. */
  excluded = 0;
  /** Directories that were entered, and how many manifests were reached in each: links can make a directory contain itself. */
  private readonly entered = new Map<string, number>();
  /** The same for `**` of the pattern at hand. */
  private readonly matchedIn = new Set<string>();
  private readonly command: string;
  private readonly io: Io;
  private readonly hidden: readonly string[];
  private readonly exclusion: Exclusion;

  constructor(command: string, io: Io, hidden: readonly string[], exclusion: Exclusion) {
    this.command = command;
    this.io = io;
    this.hidden = hidden;
    this.exclusion = exclusion;
  }

  async path(path: string): Promise<void> {
    if (path === STDIN) return this.add(STDIN, true);
    if (path === "") return this.issue("missing", path, "the path is empty");
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
      const message = `${path} is a URL; only local files can be read`;
      return this.issue("url", path, message, `download it first: curl -sSfL ${path} | ${this.command}`);
    }
    // Go's way to write a directory and all below it; directories are always read that way.
    const recursive = /(?:^|\/)\.\.\.$/.test(path);
    const plain = recursive ? path.replace(/\/?\.\.\.$/, "") || "." : path;
    const kind = await this.kind(plain);
    if (kind === "failed") return;
    if (kind === "directory") return this.named(plain);
    if (kind === "dangling") return this.dangling(plain);
    if (kind !== undefined) return this.add(plain, true);
    if (isGlob(plain)) return this.glob(plain);
    const hint = plain.startsWith("-") ? `for a file of this name, write ./${plain}` : undefined;
    return this.issue("missing", path, "no such file or directory", hint);
  }

  private async named(directory: string): Promise<void> {
    const before = this.files.size;
    const issues = this.issues.length;
    const reached = await this.walk(directory, 0);
    if (reached > 0 || this.files.size > before || this.issues.length > issues) return;
    this.issue(
      "no_match",
      directory,
      "no .yaml, .yml, .json or .csr files in this directory",
      "name the files, or another directory",
    );
  }

  /** Walks a directory, and returns the number of manifests reached, those known before included. */
  private async walk(directory: string, depth: number): Promise<number> {
    const identity = await this.io.files.identity(directory).catch(() => undefined); // `list` says why
    const before = identity === undefined ? undefined : this.entered.get(identity);
    if (before !== undefined) return before;
    if (identity !== undefined) this.entered.set(identity, 0);
    const reached = await this.walkEntries(directory, depth);
    if (identity !== undefined) this.entered.set(identity, reached);
    return reached;
  }

  private async walkEntries(directory: string, depth: number): Promise<number> {
    let reached = 0;
    for (const entry of await this.list(directory)) {
      const path = join(directory, entry.name);
      if (entry.kind === "directory") {
        if (isSkipped(entry.name) && !this.hidden.includes(entry.name)) continue;
        if (this.leavesOut(path, true)) continue;
        if (depth >= MAX_DEPTH) this.issue("unreadable", path, `more than ${MAX_DEPTH} directories deep`);
        else reached += await this.walk(path, depth + 1);
      } else if (entry.kind === "file" && isManifestName(entry.name) && !entry.name.startsWith(".")) {
        if (this.leavesOut(path, false)) continue;
        this.add(path, false);
        reached++;
      } else if (entry.kind === "other" && isManifestName(entry.name)) this.other(path);
      else if (entry.kind === "dangling" && mayHaveManifests(entry.name)) this.dangling(path);
    }
    return reached;
  }

  private leavesOut(path: string, isDirectory: boolean): boolean {
    if (!this.exclusion.excludes(path, isDirectory)) return false;
    this.excluded++;
    return true;
  }

  private async glob(pattern: string): Promise<void> {
    const globs = parseGlobs(pattern);
    if (globs === undefined) return this.issue("no_match", pattern, "the pattern has too many alternatives");
    const anyName = !/\.[^/*?\][{}]+$|\.\{[^/]*\}$/.test(pattern);
    let matched = 0;
    this.matchedIn.clear();
    for (const { base, segments } of globs) matched += await this.match(base, segments, anyName, 0);
    if (matched === 0)
      this.issue("no_match", pattern, "the pattern matches no files", "quote it if the shell should not expand it");
  }

  private async match(directory: string, segments: Glob["segments"], anyName: boolean, depth: number): Promise<number> {
    const [segment, ...rest] = segments;
    if (segment === undefined || depth > MAX_DEPTH || (await this.isEntered(directory, segments))) return 0;
    // `**` matches no directory, or one directory and then the same again.
    let matched = segment.anyDepth && rest.length > 0 ? await this.match(directory, rest, anyName, depth) : 0;
    for (const entry of await this.listQuietly(directory)) {
      if (!segment.matches(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.kind === "directory")
        matched += await this.matchInside(path, entry.name, segment, segments, anyName, depth);
      else if (rest.length === 0 && (!anyName || isManifestName(entry.name))) {
        if (entry.kind === "dangling") this.dangling(path);
        else if (entry.kind === "other") this.other(path);
        else if (!this.leavesOut(path, false)) this.add(path, false);
        matched++;
      }
    }
    return matched;
  }

  /** Whether the same part of the pattern was searched here before, on any path. */
  private async isEntered(directory: string, segments: Glob["segments"]): Promise<boolean> {
    if (segments[0]?.anyDepth !== true) return false;
    const identity = await this.io.files.identity(directory === "" ? "." : directory).catch(() => undefined);
    if (identity === undefined) return false;
    const key = `${segments.length} ${identity}`;
    const entered = this.matchedIn.has(key);
    this.matchedIn.add(key);
    return entered;
  }

  private async matchInside(
    path: string,
    name: string,
    segment: Segment,
    segments: Glob["segments"],
    anyName: boolean,
    depth: number,
  ): Promise<number> {
    const last = segments.length === 1;
    if ((last || segment.anyDepth) && (isSkipped(name) || this.leavesOut(path, true))) return 0;
    if (segment.anyDepth) return this.match(path, segments, anyName, depth + 1);
    if (last) return this.walk(path, depth + 1);
    return this.match(path, segments.slice(1), anyName, depth + 1);
  }

  private async kind(path: string): Promise<Entry["kind"] | undefined | "failed"> {
    try {
      return await this.io.files.kind(path);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      this.issue("unreadable", path, readFailure(error));
      return "failed";
    }
  }

  private async enter(directory: string): Promise<readonly Entry[]> {
    const entries = await this.io.files.list(directory);
    await this.exclusion.enter(directory, entries);
    return entries;
  }

  private async list(directory: string): Promise<readonly Entry[]> {
    try {
      return await this.enter(directory);
    } catch (error) {
      this.issue("unreadable", directory, readFailure(error));
      return [];
    }
  }

  /** The base of a pattern need not exist. */
  private async listQuietly(directory: string): Promise<readonly Entry[]> {
    try {
      return await this.enter(directory === "" ? "." : directory);
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT" && code !== "ENOTDIR") this.issue("unreadable", directory, readFailure(error));
      return [];
    }
  }

  private add(path: string, named: boolean): void {
    const key = path === STDIN ? STDIN : `../${posix.normalize(path)}`;
    const known = this.files.get(key);
    if (known === undefined) this.files.set(key, { path, named });
    else if (named && !known.named) this.files.set(key, { path: known.path, named });
  }

  private dangling(path: string): void {
    this.issue("dangling", path, "symbolic link to a file that does not exist", "remove it, or restore its target");
  }

  /** Reading a pipe that was not named could wait for ever. */
  private other(path: string): void {
    this.notes.push({ file: path, message: "skipped: neither a file nor a directory" });
  }

  private issue(code: SourceIssue["code"], file: string, message: string, hint?: string): void {
    this.issues.push({ code, file, message, ...(hint && { hint }) });
  }
}

/** Whether a link, if it led somewhere, could lead to a manifest or to a directory of manifests. */
function mayHaveManifests(name: string): boolean {
  return !name.startsWith(".") && (isManifestName(name) || !name.includes("."));
}

/** `a/b`, without `../` unless the user wrote it. */
const join = (directory: string, name: string): string =>
  directory === "" || directory === "." ? name : directory.endsWith("/") ? directory + name : `${directory}/${name}`;

export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** Texts for Node's errors about a path. */
export function readFailure(error: unknown): string {
  const code = codeOf(error);
  // A suite named a file that it may not: the error says so in words for the user.
  const known = code === "EOUTSIDE" ? thrownText(error) : READ_FAILURES[code];
  return known ?? `cannot be read: ${thrownText(error)}`;
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "is a directory",
  ENOTDIR: "part of the path is not a directory",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the path is too long",
  EMFILE: "too many open files",
  ENXIO: "is a socket or a missing device",
  EPIPE: "is a pipe that nothing writes to",
  EFBIG: `does not end within ${sizeText(FILE_BYTES)}`,
  ERR_FS_FILE_TOO_LARGE: "larger than 2 GiB; split it into several files",
};
