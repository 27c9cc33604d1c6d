// The existing objects of a cluster, and the written ones. Without `--existing`, policies and other set-up in the inputs count as written
// by an administrator, so that a user who may not read params can still check an object against a policy with params. With it, everything
// in -f is written by the user, policies included.

import type { KubeObject } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { isSetUp, type Manifest, roleOf } from "@celadon/simulator/manifests";
import { loadOptionsOf, printNotes, reportUnread } from "../inputs/inputs.ts";
import type { Args, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { loadManifests, type Pairs, pairManifests, type SourceIssue, STDIN } from "../sources/index.ts";
import { paramsIn } from "./param-refs.ts";

export const EXISTING = {
  name: "existing",
  value: "PATH",
  repeatable: true,
  help: "resources that are already in the cluster. The user (--as) then writes everything in -f, including policies and CRDs; without this flag, an administrator has written those",
  choices: "files",
} as const satisfies Option;

export interface Existing {
  readonly manifests: readonly Manifest[];
  /** Objects of the inputs with their existing counterparts; undefined without the flag. */
  readonly pairs?: Pairs;
  /** The problems of unreadable files. */
  readonly issues: readonly SourceIssue[];
}

export async function loadExisting(
  inputs: readonly Manifest[],
  paths: readonly string[],
  verb: string,
  args: Args<"color" | "existing" | "namespace" | "quiet">,
  io: Io,
): Promise<Existing> {
  const existing = args.list("existing");
  if (existing.length === 0) return { manifests: [], issues: [] };
  if (existing.includes(STDIN) && paths.includes(STDIN)) {
    throw new UsageError("standard input cannot be read for both -f and --existing", "write one of them to a file");
  }
  const { manifests, issues, notes } = await loadManifests(existing, await loadOptionsOf(verb, args, io), io);
  printNotes(notes, args, io);
  reportUnread(issues, args.shared.on("strict-files"), args, io);
  // Existing objects stay, unless the inputs replace them.
  const pairs = { ...pairManifests(inputs, manifests, args.text("namespace")), deleted: [] };
  return { manifests, pairs, issues };
}

/**
 * Whether an object is set-up that an administrator writes, whichever user writes the rest: policies, definitions, params, … Namespaces are the
 * user's: policies about them ask who creates them.
 */
export function administeredIn(simulated: SimulatedCluster): (object: KubeObject) => boolean {
  const params = paramsIn(simulated);
  return (object) => (isSetUp(object) && roleOf(object) !== "namespace") || params(object);
}
