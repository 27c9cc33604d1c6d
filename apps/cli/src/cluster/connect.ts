// The cluster that a verb works with: the pod's own service account, or a kubeconfig.

import { Double } from "@celadon/base";
import { Api, type Connection, connectionFromKubeconfig, inCluster, KubeconfigError } from "@celadon/client";
import type { Args, Option } from "../command.ts";
import { UsageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { VERSION } from "../version.ts";

// biome-ignore format: one option per line
export const CLUSTER: readonly Option[] = [
  { name: "kubeconfig", value: "FILE", help: "kubeconfig to use; in a pod its service account is used without one", fallback: "$KUBECONFIG or ~/.kube/config", choices: "files" },
  { name: "context",    value: "NAME", help: "context of the kubeconfig",                                          fallback: "the current one" },
];

export async function connect(args: Args, io: Io): Promise<Api> {
  return new Api(await connectionOf(args, io), { userAgent: `celadon/${VERSION}`, double: (n) => new Double(n) });
}

async function connectionOf(args: Args, io: Io): Promise<Connection> {
  const [path, context] = [args.text("kubeconfig"), args.text("context")];
  try {
    if (path === undefined && context === undefined) {
      const pod = await inCluster({ env: io.env });
      if (pod !== undefined) return pod;
    }
    return await connectionFromKubeconfig({
      ...(path !== undefined && { path }),
      ...(context !== undefined && { context }),
      env: io.env,
    });
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    throw error;
  }
}
