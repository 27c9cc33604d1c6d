// The inputs of check, explain and mutate: manifests, the cluster they form together with existing objects, and the
// requests to review.

import { SimulatedCluster, type SimulatedClusterOptions } from "@celadon/simulator";
import { loadInputs, loadPairs, type OLD } from "../inputs/inputs.ts";
import { loadCluster } from "../inputs/load-cluster.ts";
import type { KUBE_VERSION } from "../inputs/options.ts";
import { type WEBHOOK_ANSWERS, webhookAnswersOf } from "../inputs/webhook-answers.ts";
import { gatesOf } from "../live-cluster/gates.ts";
import { wantsCluster } from "../live-cluster/options.ts";
import type { ArgsOf } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { KeepOptions, Loaded, Pairs, SourceIssue } from "../sources/index.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";
import { type DERIVED_SET_UP, derivedSetUp } from "./derived-set-up.ts";
import { administeredIn, type EXISTING, loadExisting } from "./existing.ts";
import { withParams } from "./param-refs.ts";
import { type ASKING, askingOf, type Subjects, subjectsOf } from "./subjects.ts";

export interface LoadedReview extends Subjects {
  readonly inputs: Loaded;
  readonly simulated: SimulatedCluster;
  readonly pairs: Pairs | undefined;
  /** The problems of unreadable files of all inputs. */
  readonly unread: readonly SourceIssue[];
}

/** The tables that a command of this kind has at least. */
type ReviewFlags = readonly [
  ...typeof ASKING,
  ...typeof OLD,
  ...typeof DERIVED_SET_UP,
  typeof EXISTING,
  typeof WEBHOOK_ANSWERS,
  typeof KUBE_VERSION,
];

/** `keep`: what need not stay in memory. */
export async function loadReview(
  verb: string,
  paths: readonly string[],
  args: ArgsOf<ReviewFlags>,
  io: Io,
  options: SimulatedClusterOptions = {},
  keep: KeepOptions = {},
): Promise<LoadedReview> {
  const asking = askingOf(args);
  // A mistake in the flag is reported before anything is read.
  parseKubeVersion(args.text("kube-version"));
  const inputs = await loadInputs(paths, verb, args, io, isCompared(args) ? {} : keep);
  const existing = await loadExisting(inputs.manifests, paths, verb, args, io);
  const cluster = await loadCluster(inputs.manifests, args, io);
  const old = await loadPairs(inputs.manifests, paths, verb, args, io);
  const pairs = old.pairs ?? existing.pairs ?? cluster.pairs;
  const unread = [...inputs.issues, ...existing.issues, ...old.issues];
  const made = derivedSetUp([...existing.manifests, ...inputs.manifests], args, io);
  const manifests = [...cluster.manifests, ...existing.manifests, ...inputs.manifests, ...made];
  const set = SimulatedCluster.of(manifests, {
    kubeVersion: parseKubeVersion(args.text("kube-version"), cluster.kubeVersion),
    gates: gatesOf(args.shared),
    ...options,
    ...(await webhookAnswersOf(args, io, manifests)),
  });
  const simulated = withParams(set, inputs.stream);
  const isAdministered = existing.pairs === undefined ? administeredIn(simulated) : () => false;
  return { inputs, simulated, pairs, unread, ...subjectsOf(inputs, pairs, asking, simulated, isAdministered) };
}

/** Objects that are compared with what exists stay in memory as that does. */
function isCompared(args: ArgsOf<ReviewFlags>): boolean {
  const flags = [...args.list("old"), ...args.list("existing")];
  return flags.length > 0 || args.text("old-git") !== undefined || wantsCluster(args);
}
