// The inputs of a command, with their problems reported on stderr. Commands that judge go on with what could be read, say what could not,
// and end with code 2; all others stop at bad input before anything is evaluated.

import { asBuiltinKind } from "@celadon/admission/proposals";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import { wantsCluster } from "../live-cluster/options.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import type { Args, Option } from "../program/command.ts";
import { InputError, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import {
  type Exclusions,
  type IsExcluded,
  type KeepOptions,
  type Loaded,
  loadManifests,
  loadOld,
  ManifestStream,
  type Pairs,
  readExclusions,
  type SourceIssue,
  type SourceNote,
  showIssues,
  showNotes,
} from "../sources/index.ts";

/** For verbs that decide updates. */
export const OLD = [
  {
    name: "old",
    value: "PATH",
    repeatable: true,
    help: "existing objects; an object that is also in -f counts as an update",
    choices: "files",
  },
  { name: "old-git", value: "REV", help: "existing objects: the same paths at this git revision" },
] as const satisfies readonly Option[];

/** The paths of commands whose inputs may go without -f, as the shell leaves them of `-f *.yaml`. */
export function pathsOf(args: Args<"filename">): readonly string[] {
  return [...args.list("filename"), ...args.positionals];
}

export async function loadInputs(
  paths: readonly string[],
  verb: string,
  args: Args<"color" | "quiet">,
  io: Io,
  keep: KeepOptions = {},
): Promise<Loaded> {
  if (paths.length === 0 && wantsCluster(args)) return NOTHING;
  if (paths.length === 0) {
    throw new UsageError("nothing to read", `name files or directories: celadon ${verb} -f policies/ -f deploy.yaml`);
  }
  const strict = !JUDGING.has(verb) || args.shared.on("strict-files");
  const exclusions = await exclusionsOf(args, io);
  const isExcluded: IsExcluded = (path, isDirectory) => exclusions.excludes(path, isDirectory);
  const loaded = await loadManifests(paths, { command: `celadon ${verb} -f -`, strict, isExcluded, ...keep }, io);
  printNotes([...loaded.notes, ...foreignPolicies(loaded.manifests)], args, io);
  if (loaded.issues.length > 0) {
    const isEmpty = loaded.stream.length + loaded.reviews.length + loaded.events.length === 0;
    if (strict || isEmpty || loaded.issues.some(({ code }) => MISTAKEN.has(code)))
      throw badInput(loaded.issues, io, args);
    io.err.write(showIssues(loaded.issues, errorPaint(args, io)));
    io.err.write(`celadon: ${new InputError(loaded.issues).message}; the rest is in the results\n`);
  }
  const stream = loaded.stream.withKept((manifest) => inBuiltinWords([manifest], verb)[0]);
  return { ...loaded, manifests: stream.kept, stream };
}

/** The exclusions that the flags of a call ask for. */
export function exclusionsOf({ shared }: Pick<Args, "shared">, io: Io): Promise<Exclusions> {
  return readExclusions(shared.list("exclude"), shared.on("gitignore"), io);
}

/** Commands that judge each object by itself: what can be read is judged though something else cannot. */
const JUDGING: ReadonlySet<string> = new Set(["check", "cost", "explain", "lint"]);

/** Mistakes in the command line, not in a file. */
const MISTAKEN: ReadonlySet<string> = new Set(["git", "missing", "no_input", "no_match", "url"]);

/** Objects that need not stay in memory: they are neither set-up nor reported before their turn. */
export function isPassing(object: KubeObject): boolean {
  const { group } = gvkOf(object);
  return !isSetUp(object) && group !== OWN && !group.endsWith(`.${OWN}`) && !Object.hasOwn(FOREIGN, group);
}

const OWN = "celadon.dev";

/** Our own files lie beside policies, and no cluster knows them. Policies of our own group decide as the built-in kinds do. */
export function inBuiltinWords(manifests: readonly Manifest[], verb: string): readonly Manifest[] {
  const kept = manifests.filter(({ object }) => gvkOf(object).group !== OWN);
  // A server takes them as they are.
  return verb === "up" ? kept : kept.map((manifest) => ({ ...manifest, object: asBuiltinKind(manifest.object) }));
}

export const NOTHING: Loaded = {
  manifests: [],
  stream: new ManifestStream([]),
  reviews: [],
  events: [],
  issues: [],
  notes: [],
  files: [],
};

const FOREIGN: Readonly<Record<string, string>> = {
  "kyverno.io": "Kyverno",
  "policies.kyverno.io": "Kyverno",
  "templates.gatekeeper.sh": "Gatekeeper",
  "constraints.gatekeeper.sh": "Gatekeeper",
};

/** Policies of other engines are ordinary objects to an API server: users may think that they are enforced. */
function foreignPolicies(manifests: readonly Manifest[]): SourceNote[] {
  return manifests.flatMap(({ object, origin }) => {
    const { group, kind } = gvkOf(object);
    if (!Object.hasOwn(FOREIGN, group)) return [];
    const message = `${kind} ${nameOf(object)} is for ${FOREIGN[group]}; an API server does not enforce it`;
    return [{ file: origin?.file ?? "", message, hint: "`celadon convert` converts its CEL to policies" }];
  });
}

/** Pairs the inputs of `paths` with those of `--old` and `--old-git`; undefined without them. */
export async function loadPairs(
  manifests: readonly Manifest[],
  paths: readonly string[],
  verb: string,
  args: Args<"color" | "namespace" | "old" | "old-git" | "quiet">,
  io: Io,
): Promise<Pairs | undefined> {
  const namespace = args.text("namespace");
  const old = await loadOld(
    manifests,
    {
      old: args.list("old"),
      oldGit: args.text("old-git"),
      paths,
      command: `celadon ${verb} -f -`,
      ...(namespace !== undefined && { namespace }),
    },
    io,
  );
  if (old === undefined) return undefined;
  printNotes(old.notes, args, io);
  if (old.issues.length > 0) throw badInput(old.issues, io, args);
  return old.pairs;
}

export function printNotes(notes: readonly SourceNote[], args: Args<"color" | "quiet">, io: Io): void {
  if (!args.on("quiet")) io.err.write(showNotes(notes, errorPaint(args, io)));
}

/** Prints all of them, and returns the error to throw. */
export function badInput(issues: readonly SourceIssue[], io: Io, args?: Args<"color">): UsageError {
  io.err.write(showIssues(issues, errorPaint(args, io)));
  return new InputError(issues);
}

function errorPaint(args: Args<"color"> | undefined, io: Io): ReturnType<typeof paintOf> {
  return paintOf(wantsColour(args?.text("color"), io.err.isTerminal, io.env));
}
