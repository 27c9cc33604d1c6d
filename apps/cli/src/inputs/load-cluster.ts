// Adds the inputs of `--cluster`. The client is loaded only if the flag is set.

import type { Minor } from "@celadon/kube-cel";
import type { Manifest } from "@celadon/simulator/manifests";
import { gatesOf } from "../live-cluster/gates.ts";
import { wantsCluster } from "../live-cluster/options.ts";
import type { Args } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { Pairs } from "../sources/index.ts";
import { printNotes } from "./inputs.ts";

export interface LoadedCluster {
  /** The set-up of the cluster; files with the same resource replace it. */
  readonly manifests: readonly Manifest[];
  /** Objects of the inputs with their counterparts in the cluster; undefined without a cluster. */
  readonly pairs?: Pairs;
  /** The version of the cluster, or the nearest that is known. */
  readonly kubeVersion?: Minor;
}

const NO_CLUSTER: LoadedCluster = { manifests: [] };

/** `policies` are those of other inputs, whose params are needed. */
export async function loadCluster(
  inputs: readonly Manifest[],
  args: Args<"color" | "quiet">,
  io: Io,
  policies: readonly Manifest[] = [],
): Promise<LoadedCluster> {
  if (!wantsCluster(args)) return NO_CLUSTER;
  const { clusterPairs, openCluster, unreadText } = await import("../live-cluster/from-cluster.ts");
  const cluster = await openCluster(args.shared, io, { gates: gatesOf(args.shared), given: [...inputs, ...policies] });
  try {
    const file = cluster.api.connection.server;
    const unread = cluster.unread.map((item) => ({ file, message: unreadText(item) }));
    const { minor, note } = cluster.version;
    const emulated =
      note === undefined || args.shared.text("kube-version") !== undefined ? [] : [{ file, message: note }];
    printNotes([...unread, ...cluster.rejected, ...emulated], args, io);
    const pairs = await clusterPairs(inputs, cluster, args.shared.text("namespace"));
    return { manifests: cluster.manifests, pairs, ...(minor !== undefined && { kubeVersion: minor }) };
  } finally {
    cluster.api.close();
  }
}
