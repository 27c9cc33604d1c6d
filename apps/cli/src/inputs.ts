// What a verb reads, with everything wrong about it said on stderr. Bad input ends the verb with code 2 before anything is decided:
// a verdict on half of the inputs is no verdict.

import { gvkOf, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator";
import type { Args, Option } from "./command.ts";
import { UsageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { paintOf, wantsColour } from "./output/paint.ts";
import {
  type Loaded,
  loadManifests,
  loadOld,
  type Pairs,
  type SourceIssue,
  type SourceNote,
  showIssues,
  showNotes,
} from "./sources/index.ts";

/** For verbs that decide updates. */
export const OLD: readonly Option[] = [
  {
    name: "old",
    value: "PATH",
    repeatable: true,
    help: "objects as they are now; those found in -f are updates of them",
    choices: "files",
  },
  { name: "old-git", value: "REV", help: "objects as they are at a git revision, under the same paths" },
];

/** Of verbs whose inputs may go without -f, as the shell leaves them of `-f *.yaml`. */
export function pathsOf(args: Args): readonly string[] {
  return [...args.list("filename"), ...args.positionals];
}

export async function loadInputs(paths: readonly string[], verb: string, args: Args, io: Io): Promise<Loaded> {
  if (paths.length === 0) {
    throw new UsageError("nothing to read", `name files or directories: celadon ${verb} -f policies/ -f deploy.yaml`);
  }
  const loaded = await loadManifests(paths, { command: `celadon ${verb} -f -` }, io);
  tellNotes([...loaded.notes, ...foreignPolicies(loaded.manifests)], args, io);
  if (loaded.issues.length > 0) throw badInput(loaded.issues, io, args);
  // Our own files lie beside policies; no cluster knows them.
  return { ...loaded, manifests: loaded.manifests.filter(({ object }) => gvkOf(object).group !== "celadon.dev") };
}

const FOREIGN: Readonly<Record<string, string>> = {
  "kyverno.io": "Kyverno",
  "policies.kyverno.io": "Kyverno",
  "templates.gatekeeper.sh": "Gatekeeper",
  "constraints.gatekeeper.sh": "Gatekeeper",
};

/** Policies of other engines are objects like any other to an API server: somebody may think that they were asked. */
function foreignPolicies(manifests: readonly Manifest[]): SourceNote[] {
  return manifests.flatMap(({ object, origin }) => {
    const { group, kind } = gvkOf(object);
    if (!Object.hasOwn(FOREIGN, group)) return [];
    const message = `${kind} ${nameOf(object)} is for ${FOREIGN[group]}, and decides nothing here`;
    return [{ file: origin?.file ?? "", message, hint: "`celadon convert` makes policies of what is CEL in it" }];
  });
}

/** What `--old` and `--old-git` say about what was read from `paths`; undefined without them. */
export async function loadPairs(
  manifests: readonly Manifest[],
  paths: readonly string[],
  verb: string,
  args: Args,
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
  tellNotes(old.notes, args, io);
  if (old.issues.length > 0) throw badInput(old.issues, io, args);
  return old.pairs;
}

export function tellNotes(notes: readonly SourceNote[], args: Args, io: Io): void {
  if (!args.on("quiet")) io.err.write(showNotes(notes, errorPaint(args, io)));
}

/** Says all of them, and gives what to throw. */
export function badInput(issues: readonly SourceIssue[], io: Io, args?: Args): UsageError {
  io.err.write(showIssues(issues, errorPaint(args, io)));
  const count = issues.length === 1 ? "one input" : `${issues.length} inputs`;
  return new UsageError(`${count} cannot be used`);
}

function errorPaint(args: Args | undefined, io: Io): ReturnType<typeof paintOf> {
  return paintOf(wantsColour(args?.text("color"), io.err.isTerminal, io.env));
}
