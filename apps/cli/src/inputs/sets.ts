// The two sets of a comparison, and the objects: `OLD NEW`, `NEW` beside `--old-git`, or `NEW` alone, which is then added to the inputs of
// -f.

import type { Manifest } from "@celadon/simulator/manifests";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { type Loaded, loadAt, type SourceIssue } from "../sources/index.ts";
import { impliedBindings } from "./bind-all.ts";
import { inBuiltinWords, loadInputs, loadOptionsOf, NOTHING, printNotes } from "./inputs.ts";

export interface Sets {
  readonly old: readonly Manifest[];
  readonly next: readonly Manifest[];
  readonly objects: Loaded;
  /** The unreadable files of all three. */
  readonly unread: readonly SourceIssue[];
}

export interface SetsOptions {
  readonly verb: string;
  /** NEW alone is not enough. */
  readonly needsOld?: boolean;
  readonly needsObjects?: boolean;
}

/** `[OLD] NEW -f OBJECTS…`, for the verbs of this shape. */
export async function loadSets(
  options: SetsOptions,
  args: Args<"color" | "filename" | "old-git" | "quiet">,
  io: Io,
): Promise<Sets> {
  const { verb, needsOld = false, needsObjects = true } = options;
  const [first, second, ...more] = args.positionals;
  const revision = args.text("old-git");
  const usage = `celadon ${verb} OLD NEW -f OBJECTS…`;
  if (more.length > 0) throw new UsageError(`unexpected "${more[0]}"`, usage);
  if (first === undefined) throw new UsageError("nothing to compare", usage);
  if (second !== undefined && revision !== undefined) {
    throw new UsageError(
      "--old-git takes the place of OLD",
      `name one path: celadon ${verb} --old-git ${revision} ${second}`,
    );
  }
  if (needsOld && second === undefined && revision === undefined) {
    throw new UsageError("nothing to compare with", `${usage}, or --old-git REV with one path`);
  }
  const files = args.list("filename");
  if (needsObjects && files.length === 0) {
    throw new UsageError("no objects to evaluate", "name them with -f: files, directories, a cluster dump");
  }
  if ([...args.positionals, ...files].filter((path) => path === "-").length > 1) {
    throw new UsageError("standard input cannot be read twice", "write one of the inputs to a file");
  }
  const old = await loadOldSet(second === undefined ? undefined : first, revision, first, verb, args, io);
  const next = await loadSet(second ?? first, verb, args, io);
  const objects = files.length === 0 ? NOTHING : await loadInputs(files, verb, args, io);
  const unread = [...old.issues, ...next.issues, ...objects.issues];
  return { old: old.manifests, next: next.manifests, objects, unread };
}

type LoadedSet = Pick<Loaded, "manifests" | "issues">;

async function loadOldSet(
  path: string | undefined,
  revision: string | undefined,
  same: string,
  verb: string,
  args: Args<"color" | "quiet">,
  io: Io,
): Promise<LoadedSet> {
  if (path !== undefined) return loadSet(path, verb, args, io);
  if (revision === undefined) return NOTHING;
  const { manifests, notes } = await loadAt(revision, { paths: [same], ...(await loadOptionsOf(verb, args, io)) }, io);
  printNotes(notes, args, io);
  return { manifests: completed(inBuiltinWords(manifests, verb), args), issues: [] };
}

async function loadSet(path: string, verb: string, args: Args<"color" | "quiet">, io: Io): Promise<LoadedSet> {
  const { manifests, reviews, events, issues } = await loadInputs([path], verb, args, io);
  if (reviews.length + events.length > 0) {
    throw new UsageError(
      `${path} has recorded requests`,
      "give requests with -f, and policies and CRDs without a flag",
    );
  }
  return { manifests: completed(manifests, args), issues };
}

function completed(manifests: readonly Manifest[], { shared }: Pick<Args, "shared">): readonly Manifest[] {
  return shared.on("bind-all") ? [...manifests, ...impliedBindings(manifests)] : manifests;
}
