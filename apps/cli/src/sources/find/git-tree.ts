// Files of a git revision, as files of the disk: what looks for manifests and reads them need not know the difference. One listing
// for all paths, and many contents per call of git.

import { posix } from "node:path";
import { thrownText } from "@celadon/base";
import { UsageError } from "../../program/exit.ts";
import type { Entry, Files, Io } from "../../program/io.ts";
import { codeOf, isManifestName } from "./find.ts";

export interface GitTree {
  readonly files: Files;
  /** Submodules at or below the paths; their files are in another repository. */
  readonly submodules: readonly string[];
}

interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The greatest output of `git ls-tree`, and the contents of one batch. */
const TREE_BYTES = 512 * 1024 * 1024;
const BATCH_FILES = 256;
const BATCH_BYTES = 16 * 1024 * 1024;

/** The tree at a revision, limited to the directories; they lie in one repository, wherever the command runs. Throws UsageError. */
export async function openGitTree(revision: string, directories: readonly string[], io: Io): Promise<GitTree> {
  const places = await placesOf(directories, io);
  const root = await rootOf(places[0]?.real ?? "/", io);
  const toTree = (path: string): string => treePath(path, root, places, io.cwd);
  const commit = await commitOf(revision, root, io);
  const specs = [...new Set(directories.map(toTree))].map((path) => path.replace(/^\.$/, ""));
  const args = ["-C", root, "ls-tree", "-r", "-z", "-l", "--full-tree", commit];
  const limited = specs.includes("") ? [] : ["--", ...specs];
  const listing = await git([...args, ...limited], io, `cannot list revision "${revision}"`);
  const { blobs, links, submodules } = parseListing(listing);
  return { files: treeFiles(blobs, links, toTree, root, io), submodules };
}

/** The repository of the working directory if it has the path, so that a submodule is read as a part of it; else that of the path. */
async function rootOf(path: string, io: Io): Promise<string> {
  const top = async (directory: string): Promise<string> => {
    const hint = "only files of a git repository have a revision";
    return (await git(["-C", directory, "rev-parse", "--show-toplevel"], io, "not a git repository", hint)).trim();
  };
  const here = await top(io.cwd).catch(() => undefined);
  if (here !== undefined && `${path}/`.startsWith(`${here}/`)) return here;
  return top(await existingDirectory(path, io));
}

/** A directory as it was named, absolute, and through all links. */
interface NamedPlace {
  readonly named: string;
  readonly real: string;
}

function placesOf(directories: readonly string[], io: Io): Promise<readonly NamedPlace[]> {
  return Promise.all(
    directories.map(async (directory) => {
      const named = posix.resolve(io.cwd, directory);
      return { named, real: await io.files.real(directory).catch(() => named) };
    }),
  );
}

/** The directory itself, or the first one above it: what a path names may exist at the revision only. */
async function existingDirectory(path: string, io: Io): Promise<string> {
  let directory = path;
  while (directory !== "/" && (await io.files.kind(directory).catch(() => undefined)) !== "directory") {
    directory = posix.dirname(directory);
  }
  return directory;
}

async function commitOf(revision: string, root: string, io: Io): Promise<string> {
  const unknown = `unknown git revision "${revision}"`;
  if (revision === "" || revision.startsWith("-")) throw new UsageError(unknown, "name a branch, tag or commit");
  const args = ["-C", root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const hint = "name a branch, tag or commit; in a shallow clone, fetch it first: git fetch --depth=1 origin REV";
  return (await git(args, io, unknown, hint)).trim();
}

/** From the root of the repository: `a/b`, or `.` for the root itself. */
function treePath(path: string, root: string, places: readonly NamedPlace[], cwd: string): string {
  const full = posix.resolve(cwd, path);
  const place = places.find(({ named }) => full === named || full.startsWith(named === "/" ? "/" : `${named}/`));
  const real = place === undefined ? full : posix.join(place.real, posix.relative(place.named, full));
  const inTree = posix.relative(root, real);
  if (inTree === ".." || inTree.startsWith("../")) {
    throw new UsageError(`${path} is outside the git repository ${root}`, "name files of one repository");
  }
  return inTree === "" ? "." : inTree;
}

async function git(args: readonly string[], io: Io, failure: string, hint?: string): Promise<string> {
  return new TextDecoder().decode(await gitBytes(args, TREE_BYTES, io, failure, hint));
}

async function gitBytes(
  args: readonly string[],
  limit: number,
  io: Io,
  failure: string,
  hint?: string,
): Promise<Uint8Array> {
  let answer: Awaited<ReturnType<Io["run"]>>;
  try {
    answer = await io.run("git", args, limit);
  } catch (error) {
    io.signal.throwIfAborted();
    if (codeOf(error) === "ENOENT") throw new UsageError("git is not installed, and revisions are read with it");
    throw new UsageError(`git failed: ${thrownText(error)}`);
  }
  if (answer.code === 0) return answer.stdout;
  // The last line has the reason; git's hints come before it.
  const said = answer.stderr.trim().split("\n").at(-1) ?? "";
  throw new UsageError(said === "" || said.includes(failure) ? failure : `${failure}: ${said}`, hint);
}

interface Listing {
  readonly blobs: Map<string, Blob>;
  /** Symbolic links, which are not followed. */
  readonly links: Set<string>;
  readonly submodules: string[];
}

/** `100644 blob 5f1c…     123\tpath`, each ended by NUL. */
function parseListing(text: string): Listing {
  const listing: Listing = { blobs: new Map(), links: new Set(), submodules: [] };
  for (const line of text.split("\0")) {
    const tab = line.indexOf("\t");
    if (tab === -1) continue;
    const [mode, type, id, size] = line.slice(0, tab).split(/ +/);
    const path = line.slice(tab + 1);
    if (type === "commit") listing.submodules.push(path);
    else if (mode === "120000") listing.links.add(path);
    else if (type === "blob") listing.blobs.set(path, { id: id!, size: Number(size) });
  }
  return listing;
}

function treeFiles(
  blobs: ReadonlyMap<string, Blob>,
  links: ReadonlySet<string>,
  toTree: (path: string) => string,
  root: string,
  io: Io,
): Files {
  const directories = childrenOf([...blobs.keys(), ...links]);
  const kind = (path: string): Entry["kind"] | undefined =>
    blobs.has(path) ? "file" : directories.has(path) ? "directory" : links.has(path) ? "other" : undefined;
  const contents = new Contents(blobs, root, io);
  return {
    kind: async (path) => kind(toTree(path)),
    identity: async (path) => toTree(path),
    real: async (path) => posix.resolve("/", toTree(path)),
    list: async (path) => {
      const children = directories.get(toTree(path));
      if (children === undefined) throw missing(path);
      const at = (name: string): string => posix.join(toTree(path), name);
      // Links are not followed: their targets are read in their own place.
      const names = [...children].filter((name) => !links.has(at(name))).sort();
      return names.map((name): Entry => ({ name, kind: kind(at(name)) ?? "other" }));
    },
    read: async (path) => contents.read(toTree(path)),
    write: () => Promise.reject(new Error("a git revision is not written to")),
    watch: () => {},
  };
}

/** Every directory with the names in it. */
function childrenOf(paths: readonly string[]): Map<string, Set<string>> {
  const directories = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let child = path; child !== "."; ) {
      const directory = posix.dirname(child);
      const known = directories.get(directory);
      const name = child.slice(directory === "." ? 0 : directory.length + 1);
      if (known?.has(name)) break;
      if (known === undefined) directories.set(directory, new Set([name]));
      else known.add(name);
      child = directory;
    }
  }
  return directories;
}

function missing(path: string): Error {
  return Object.assign(new Error(`no ${path} in this revision`), { code: "ENOENT" });
}

/** Contents by path. Reading one fetches those listed after it as well: they are wanted next. */
class Contents {
  private readonly blobs: ReadonlyMap<string, Blob>;
  private readonly paths: readonly string[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly fetched = new Map<string, Promise<Uint8Array>>();
  private readonly root: string;
  private readonly io: Io;

  constructor(blobs: ReadonlyMap<string, Blob>, root: string, io: Io) {
    this.blobs = blobs;
    this.paths = [...blobs.keys()];
    this.places = new Map(this.paths.map((path, i) => [path, i]));
    this.root = root;
    this.io = io;
  }

  read(path: string): Promise<Uint8Array> {
    const blob = this.blobs.get(path);
    if (blob === undefined) return Promise.reject(missing(path));
    if (!this.fetched.has(blob.id)) this.fetch(this.places.get(path)!);
    return this.fetched.get(blob.id)!;
  }

  private fetch(first: number): void {
    const batch = new Map<string, number>();
    let bytes = 0;
    for (let i = first; i < this.paths.length && batch.size < BATCH_FILES; i++) {
      const path = this.paths[i]!;
      const { id, size } = this.blobs.get(path)!;
      if (i > first && (!isManifestName(path) || this.fetched.has(id) || batch.has(id))) continue;
      if (i > first && bytes + size > BATCH_BYTES) break;
      batch.set(id, size);
      bytes += size;
    }
    const all = this.show([...batch.keys()], bytes);
    // A reader gets the failure; rejections without a reader must not be unhandled.
    all.catch(() => {});
    let start = 0;
    for (const [id, size] of batch) {
      const from = start;
      const item = all.then((shown) => shown.subarray(from, from + size));
      item.catch(() => {});
      this.fetched.set(id, item);
      start += size;
    }
  }

  /** Several blobs come one after another, with nothing between them: the listing has their sizes. */
  private async show(ids: readonly string[], bytes: number): Promise<Uint8Array> {
    const shown = await gitBytes(
      ["-C", this.root, "show", "--no-textconv", ...ids],
      bytes + 1024,
      this.io,
      "cannot read from git",
    );
    if (shown.length === bytes) return shown;
    throw new UsageError(`git gave ${shown.length} bytes where ${bytes} were listed`);
  }
}
