// Flags of commands that talk to a cluster. No client is loaded here: most runs need none.

import type { Args, Option } from "../program/command.ts";

// biome-ignore format: one option per line
export const CLUSTER = [
  { name: "kubeconfig", value: "FILE", help: "kubeconfig file; in a pod without one, its service account is used", fallback: "$KUBECONFIG or ~/.kube/config", choices: "files" },
  { name: "context",    value: "NAME", help: "context of the kubeconfig",                                          fallback: "the current one" },
] as const satisfies readonly Option[];

/** For commands that read files, and may read a cluster too. */
export const FROM_CLUSTER = [
  {
    name: "cluster",
    help: "also read policies, params, CRDs, namespaces and roles from a cluster, and the current state of the objects in -f",
  },
  ...CLUSTER.map((option) => ({ ...option, help: `with --cluster: ${option.help}` })),
] as const satisfies readonly Option[];

/** Naming a context is asking for it. */
export function wantsCluster({ shared }: Pick<Args, "shared">): boolean {
  return shared.on("cluster") || shared.text("context") !== undefined;
}
