// The objects before: `--old PATH…` from files, `--old-git REV` from the same paths at a revision. Paired with the new ones they
// make updates and deletions.

import type { Manifest } from "@celadon/simulator/manifests";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { openGitTree } from "./find/git-tree.ts";
import { isGlob, parseGlobs } from "./find/glob.ts";
import { type SourceIssue, type SourceNote, STDIN, sourceIssueText } from "./issue.ts";
import { type LoadOptions, loadManifests } from "./load.ts";
import { type Pairs, pairManifests } from "./pairs.ts";

export interface OldOptions extends LoadOptions {
  /** Files, directories and patterns with the old objects. */
  readonly old: readonly string[];
  /** A revision to read `paths` at. */
  readonly oldGit: string | undefined;
  /** The paths from which the new objects were read. */
  readonly paths: readonly string[];
  /** The namespace of objects that name none. */
  readonly namespace?: string;
}

export interface Old {
  readonly pairs: Pairs;
  readonly issues: readonly SourceIssue[];
  readonly notes: readonly SourceNote[];
}

/** Undefined when neither flag is given: then every object is new. Throws UsageError for git. */
export async function loadOld(manifests: readonly Manifest[], options: OldOptions, io: Io): Promise<Old | undefined> {
  const { old, oldGit, namespace } = options;
  if (old.length > 0 && oldGit !== undefined) {
    throw new UsageError("--old and --old-git cannot be used together", "choose one of them");
  }
  if (oldGit === undefined && old.length === 0) return undefined;
  if (old.includes(STDIN) && options.paths.includes(STDIN)) {
    throw new UsageError("standard input cannot be read for both -f and --old", "write one of them to a file");
  }
  const { issues, ...loaded } =
    oldGit === undefined
      ? await loadManifests(old, options, io)
      : { ...(await loadAt(oldGit, options, io)), issues: [] };
  return { pairs: pairManifests(manifests, loaded.manifests, namespace), issues, notes: loaded.notes };
}

export interface OldManifests {
  readonly manifests: readonly Manifest[];
  readonly notes: readonly SourceNote[];
}

/** The contents of the paths at a revision. Throws UsageError for git. */
export async function loadAt(
  revision: string,
  options: LoadOptions & Pick<OldOptions, "paths">,
  io: Io,
): Promise<OldManifests> {
  if (options.paths.includes(STDIN)) {
    throw new UsageError(`standard input has no revision "${revision}"`, "name files");
  }
  const paths = options.paths.map((path) => path.replace(/(^|\/)\.\.\.$/, "$1") || ".");
  const { files, submodules } = await openGitTree(revision, paths.flatMap(directoriesOf), io);
  const label = (path: string): string => `${revision}:${path}`;
  const { manifests, issues, notes } = await loadManifests(paths, { ...options, label }, { ...io, files });
  return {
    manifests,
    notes: [
      ...submodules.map((path) => ({ file: label(path), message: "is a submodule; its files are not read" })),
      ...notes,
      // A missing file is new, and a broken one counts as missing: otherwise it could never be fixed.
      ...issues
        .filter(({ code }) => code !== "missing" && code !== "no_match" && code !== "empty")
        .map((issue) => ({ file: issue.file, message: `not read: ${sourceIssueText(issue)}` })),
    ],
  };
}

/** The directories in which the files of a path can be: itself, or the start of a pattern. */
function directoriesOf(path: string): string[] {
  if (!isGlob(path)) return [path];
  return (parseGlobs(path) ?? []).map(({ base }) => base || ".");
}
