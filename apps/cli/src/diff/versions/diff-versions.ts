// `celadon diff --kube-version 1.33..1.37`: the inputs, or a cluster, on servers of these versions.

import { CURRENT, compareMinors, type Minor, minorsBetween } from "@celadon/kube-cel";
import type { SimulatedClusterOptions } from "@celadon/simulator";
import { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { impliedBindings } from "../../inputs/bind-all.ts";
import { loadInputs, NOTHING, printNotes } from "../../inputs/inputs.ts";
import { loadCluster } from "../../inputs/load-cluster.ts";
import { withUnread } from "../../inputs/unread.ts";
import { wantsCluster } from "../../live-cluster/options.ts";
import { startProgress } from "../../output/progress.ts";
import { writeAnswer } from "../../output/write.ts";
import type { Args } from "../../program/command.ts";
import { type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { type Asking, subjectsOf } from "../../review/subjects.ts";
import { parseKubeVersions } from "../../sources/kube-version.ts";
import { compareVersions } from "./compare-versions.ts";
import { type FailOn, versionsAnswer } from "./versions-answer.ts";

export interface DiffVersionsOptions {
  readonly paths: readonly string[];
  readonly asking: Asking;
  readonly server: SimulatedClusterOptions;
  readonly shown: number;
  readonly failOn: FailOn;
  readonly bindAll: boolean;
}

export async function diffVersions(
  args: Args<"color" | "output" | "quiet">,
  io: Io,
  { paths, asking, server, shown, failOn, bindAll }: DiffVersionsOptions,
): Promise<ExitCode> {
  const minors = betweenAll(parseKubeVersions(args.shared.text("kube-version")));
  if (paths.length === 0 && !wantsCluster(args)) {
    throw new UsageError(
      "nothing to compare",
      "name policies, CRDs and objects: celadon diff --kube-version 1.33..1.37 -f .",
    );
  }
  const loaded = paths.length === 0 ? NOTHING : await loadInputs(paths, "diff", args, io);
  const cluster = await loadCluster(loaded.manifests, args, io);
  const existing = paths.length === 0 && wantsCluster(args) ? await clusterObjects(args, io) : [];
  // The objects of a cluster include its policies and definitions.
  const manifests = existing.length > 0 ? existing : [...cluster.manifests, ...loaded.manifests];
  const bound = bindAll ? [...manifests, ...impliedBindings(manifests)] : manifests;
  const subjects = subjectsOf(
    loaded,
    undefined,
    asking,
    SimulatedCluster.of(bound, { ...server, kubeVersion: CURRENT }),
  );
  printNotes(subjects.notes, args, io);
  const asked = [
    ...subjects.asked,
    ...existing.map((manifest) => ({ manifest, ask: { ...asking, object: manifest.object } })),
  ];
  const progress = startProgress("comparing", args, io);
  const onProgress = (done: number, all: number): void => progress.update(done, all, "objects");
  const compared = await compareVersions(bound, asked, minors, { signal: io.signal, server, onProgress }).finally(() =>
    progress.end(),
  );
  return writeAnswer(withUnread(versionsAnswer(compared, { shown, failOn }), loaded.issues), args, io);
}

/** Every version on the way, for an upgrade goes through each of them. */
function betweenAll(minors: readonly Minor[]): readonly Minor[] {
  const sorted = minors.toSorted(compareMinors);
  return minorsBetween(sorted[0]!, sorted.at(-1)!);
}

async function clusterObjects(args: Args<"color" | "output" | "quiet">, io: Io): Promise<readonly Manifest[]> {
  const { readObjects } = await import("../../live-cluster/cluster-objects.ts");
  const { manifests, notes } = await readObjects(args.shared, io);
  printNotes(notes, args, io);
  return manifests;
}
