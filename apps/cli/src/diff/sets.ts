// The two sets of a comparison, and what they are compared over: `OLD NEW`, `NEW` beside `--old-git`, or `NEW` alone, which is then
// added to what -f already has.

import { gvkOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator";
import { impliedBindings } from "../check/bind-all.ts";
import type { Args } from "../command.ts";
import { UsageError } from "../exit.ts";
import { badInput, loadInputs, tellNotes } from "../inputs.ts";
import type { Io } from "../io.ts";
import { type Loaded, loadAt } from "../sources/index.ts";

export interface Sets {
  readonly old: readonly Manifest[];
  readonly next: readonly Manifest[];
  readonly objects: Loaded;
}

export interface SetsOptions {
  readonly verb: string;
  /** NEW alone tells too little. */
  readonly needsOld?: boolean;
  readonly needsObjects?: boolean;
}

/** `[OLD] NEW -f OBJECTS…`, for the verbs of this shape. */
export async function loadSets(options: SetsOptions, args: Args, io: Io): Promise<Sets> {
  const { verb, needsOld = false, needsObjects = true } = options;
  const [first, second, ...more] = args.positionals;
  const revision = args.text("old-git");
  const usage = `celadon ${verb} OLD NEW -f OBJECTS…`;
  if (more.length > 0) throw new UsageError(`unexpected "${more[0]}"`, usage);
  if (first === undefined) throw new UsageError("nothing to compare", usage);
  if (second !== undefined && revision !== undefined) {
    throw new UsageError(
      "--old-git tells what OLD is",
      `name one path: celadon ${verb} --old-git ${revision} ${second}`,
    );
  }
  if (needsOld && second === undefined && revision === undefined) {
    throw new UsageError("nothing to compare with", `${usage}, or --old-git REV with one path`);
  }
  const files = args.list("filename");
  if (needsObjects && files.length === 0) {
    throw new UsageError("no objects to compare over", "name them with -f: files, directories, a dump of a cluster");
  }
  if ([...args.positionals, ...files].filter((path) => path === "-").length > 1) {
    throw new UsageError("standard input cannot be read twice", "write one of the inputs to a file");
  }
  const old = await loadOldSet(second === undefined ? undefined : first, revision, first, verb, args, io);
  const next = await loadSet(second ?? first, verb, args, io);
  const objects = files.length === 0 ? NO_OBJECTS : await loadInputs(files, verb, args, io);
  return { old, next, objects };
}

const NO_OBJECTS: Loaded = { manifests: [], reviews: [], events: [], issues: [], notes: [], files: [] };

async function loadOldSet(
  path: string | undefined,
  revision: string | undefined,
  same: string,
  verb: string,
  args: Args,
  io: Io,
): Promise<readonly Manifest[]> {
  if (path !== undefined) return loadSet(path, verb, args, io);
  if (revision === undefined) return [];
  const { manifests, notes, issues } = await loadAt(revision, { paths: [same], command: `celadon ${verb}` }, io);
  tellNotes(notes, args, io);
  if (issues.length > 0) throw badInput(issues, io, args);
  return completed(
    manifests.filter(({ object }) => gvkOf(object).group !== "celadon.dev"),
    args,
  );
}

async function loadSet(path: string, verb: string, args: Args, io: Io): Promise<readonly Manifest[]> {
  const { manifests, reviews, events } = await loadInputs([path], verb, args, io);
  if (reviews.length + events.length > 0) {
    throw new UsageError(
      `${path} holds recorded requests`,
      "requests are named with -f, policies and definitions without",
    );
  }
  return completed(manifests, args);
}

function completed(manifests: readonly Manifest[], args: Args): readonly Manifest[] {
  return args.on("bind-all") ? [...manifests, ...impliedBindings(manifests)] : manifests;
}
