// The inputs of a command, with their problems reported on stderr. Commands go on with what could be read, report what could not, and end
// with code 2. Programs that enforce their inputs stop instead: a policy that is left out there would not be enforced.

import { asBuiltinKind } from "@celadon/admission/proposals";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { isSetUp, type Manifest, readIssuer } from "@celadon/simulator/manifests";
import { wantsCluster } from "../live-cluster/options.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import type { Args, Option } from "../program/command.ts";
import { InputError, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import {
  type Exclusion,
  Exclusions,
  type KeepOptions,
  type Loaded,
  type LoadOptions,
  loadManifests,
  loadOld,
  ManifestStream,
  type Pairs,
  parseKubeVersions,
  readExclusions,
  type SourceIssue,
  type SourceNote,
  showIssues,
  showNotes,
} from "../sources/index.ts";
import { type Buildable, isNothing } from "../sources/rendered/build.ts";
import { misspeltKinds } from "./misspelt-kinds.ts";

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

/** The paths of commands whose inputs may come without -f, as the shell expands `-f *.yaml`. */
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
  const buildable = buildableOf(args);
  if (paths.length === 0 && buildable === undefined) {
    if (wantsCluster(args)) return NOTHING;
    throw new UsageError("nothing to read", `name files or directories: celadon ${verb} -f policies/ -f deploy.yaml`);
  }
  const options = await loadOptionsOf(verb, args, io);
  const loaded = await loadManifests(paths, { ...options, ...keep, ...(buildable && { buildable }) }, io);
  printNotes([...loaded.notes, ...foreignPolicies(loaded.manifests)], args, io);
  const misspelt = REPORTS_KINDS.has(verb) ? [] : misspeltKinds(loaded.manifests);
  const issues = [...loaded.issues, ...misspelt];
  const isEmpty = loaded.stream.length + loaded.reviews.length + loaded.events.length === 0;
  reportUnread(issues, options.strict || isEmpty, args, io);
  const stream = loaded.stream.withKept((manifest) => inBuiltinWords([manifest], verb)[0]);
  return { ...loaded, manifests: stream.kept, stream, issues };
}

/** The kustomizations and charts of a call; undefined without any. */
export function buildableOf({ shared }: Pick<Args, "shared">): Buildable | undefined {
  const buildable = {
    kustomizations: shared.list("kustomize"),
    charts: shared.list("helm"),
    values: shared.list("helm-values"),
    namespace: shared.text("namespace"),
    kubeVersion: parseKubeVersions(shared.text("kube-version")).at(-1),
  };
  if (!isNothing(buildable)) return buildable;
  if (buildable.values.length > 0) throw new UsageError("--helm-values is for --helm");
  return undefined;
}

/** Options for reading all inputs of a call. */
export async function loadOptionsOf(
  verb: string,
  args: Pick<Args, "shared" | "configuration">,
  io: Io,
): Promise<Required<Pick<LoadOptions, "command" | "strict" | "exclusion">> & Pick<LoadOptions, "issuer">> {
  const named = args.shared.text("issuer");
  const issuer = named === undefined ? undefined : readIssuer(named);
  if (named !== undefined && issuer === undefined) {
    throw new UsageError(`--issuer "${named}" is not [KIND/]NAME`, "such as --issuer ClusterIssuer/ca");
  }
  return {
    ...(issuer && { issuer }),
    command: `celadon ${verb} -f -`,
    strict: ENFORCING.has(verb) || args.shared.on("strict-files"),
    exclusion: await exclusionsOf(args, io),
  };
}

/** The exclusions that the flags of a call ask for. */
export async function exclusionsOf(
  { shared, configuration }: Pick<Args, "shared" | "configuration">,
  io: Io,
): Promise<Exclusion> {
  const exclusions = await readExclusions(shared.list("exclude"), shared.on("gitignore"), io);
  if (configuration === undefined) return exclusions;
  const own = new Exclusions(configuration.text.exclude ?? []);
  return {
    enter: (directory, entries) => exclusions.enter(directory, entries),
    excludes: (path, isDirectory) =>
      own.excludes(configuration.relative(path), isDirectory) || exclusions.excludes(path, isDirectory),
  };
}

/** Prints what could not be read. Throws where nothing can go on, and for mistakes in the command line. */
export function reportUnread(issues: readonly SourceIssue[], ends: boolean, args: Args<"color">, io: Io): void {
  if (issues.length === 0) return;
  if (ends || issues.some(({ code }) => MISTAKEN.has(code))) throw badInput(issues, io, args);
  io.err.write(showIssues(issues, errorPaint(args, io)));
  io.err.write(`celadon: ${new InputError(issues).message}; the rest is in the results\n`);
}

/** Programs that enforce or evaluate their inputs: with a part of them they would decide wrongly. */
const ENFORCING: ReadonlySet<string> = new Set(["eval", "up"]);

/** Commands that report kinds that are not served as a server does. */
const REPORTS_KINDS: ReadonlySet<string> = new Set(["check", "explain", "lint", "mutate", "up"]);

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
  suppressions: [],
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

export interface LoadedPairs {
  /** Undefined without `--old` and `--old-git`. */
  readonly pairs: Pairs | undefined;
  readonly issues: readonly SourceIssue[];
}

/** Pairs the inputs of `paths` with those of `--old` and `--old-git`. */
export async function loadPairs(
  manifests: readonly Manifest[],
  paths: readonly string[],
  verb: string,
  args: Args<"color" | "namespace" | "old" | "old-git" | "quiet">,
  io: Io,
): Promise<LoadedPairs> {
  const namespace = args.text("namespace");
  if (args.text("old-git") !== undefined && buildableOf(args) !== undefined) {
    const hint = "build the old ones to a file, and name it with --old";
    throw new UsageError("--old-git does not build kustomizations and charts of a revision", hint);
  }
  const old = await loadOld(
    manifests,
    {
      old: args.list("old"),
      oldGit: args.text("old-git"),
      paths,
      ...(await loadOptionsOf(verb, args, io)),
      ...(namespace !== undefined && { namespace }),
    },
    io,
  );
  if (old === undefined) return { pairs: undefined, issues: [] };
  printNotes(old.notes, args, io);
  reportUnread(old.issues, args.shared.on("strict-files"), args, io);
  return { pairs: old.pairs, issues: old.issues };
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
