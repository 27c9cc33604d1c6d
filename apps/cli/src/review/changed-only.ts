// `--changed-only REV` leaves out the objects that are the same at a git revision, unless the policies and schemas they are checked against
// differ.

import { deepEqual } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import { buildableOf, inBuiltinWords, loadOptionsOf, printNotes } from "../inputs/inputs.ts";
import type { Args, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { loadAt, pairManifests } from "../sources/index.ts";

export const CHANGED_ONLY = {
  name: "changed-only",
  value: "REV",
  help: "report only objects that differ from this git revision, such as origin/main; all of them if policies or schemas differ",
} as const satisfies Option;

/** Whether a manifest differs from the revision. */
export type IsChanged = (manifest: Manifest) => boolean;

/** Undefined if everything must be looked at. `decides` tells which objects all others are checked against. */
export async function changedOnly(
  manifests: readonly Manifest[],
  paths: readonly string[],
  verb: string,
  args: Args<"changed-only" | "color" | "quiet">,
  io: Io,
  decides: (object: KubeObject) => boolean,
): Promise<IsChanged | undefined> {
  const revision = args.text("changed-only");
  if (revision === undefined) return undefined;
  if (buildableOf(args) !== undefined) {
    throw new UsageError("--changed-only does not build kustomizations and charts of a revision");
  }
  if (args.shared.on("write-baseline")) {
    throw new UsageError("--changed-only and --write-baseline cannot be used together", "a baseline has all findings");
  }
  const old = await loadAt(revision, { paths, ...(await loadOptionsOf(verb, args, io)) }, io);
  printNotes(old.notes, args, io);
  const pairs = pairManifests(manifests, inBuiltinWords(old.manifests, verb), args.shared.text("namespace"));
  const same = pairs.updated.filter((pair) => deepEqual(pair.old.object, pair.new.object));
  const unchanged = new Set(same.map((pair) => pair.new));
  const differing = [...manifests.filter((manifest) => !unchanged.has(manifest)), ...pairs.deleted];
  const note = (message: string): void => printNotes([{ file: "--changed-only", message }], args, io);
  const deciding = differing.find(({ object }) => decides(object));
  if (deciding !== undefined) {
    const name = `${gvkOf(deciding.object).kind} ${nameOf(deciding.object)}`;
    note(`${name} differs from ${revision}, and others are checked against it: everything is reported`);
    return undefined;
  }
  const policies = new Set(differing.flatMap(({ object }) => policyOf(object) ?? []));
  const isChanged: IsChanged = (manifest) =>
    !unchanged.has(manifest) || policies.has(policyOf(manifest.object) ?? NO_POLICY);
  const count = manifests.filter((manifest) => !isChanged(manifest)).length;
  note(`${count} of ${manifests.length} resources are as in ${revision}, and not reported`);
  return isChanged;
}

const NO_POLICY = "";

/** The policy of a policy or binding: mistakes in the one show in the other. */
function policyOf(object: KubeObject): string | undefined {
  const { kind } = gvkOf(object);
  if (kind.endsWith("AdmissionPolicy")) return nameOf(object);
  if (!kind.endsWith("AdmissionPolicyBinding")) return undefined;
  return String((object.spec as { readonly policyName?: unknown } | undefined)?.policyName);
}
