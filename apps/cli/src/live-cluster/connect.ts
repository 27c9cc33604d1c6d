// The cluster that a verb works with: the pod's own service account, or a kubeconfig.

import { Api, type Connection, connectionFromKubeconfig, inCluster, KubeconfigError } from "@celadon/client";
import type { Flags } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { VERSION } from "../program/version.ts";

export async function connect(args: Flags<"context" | "kubeconfig">, io: Io): Promise<Api> {
  return new Api(await connectionOf(args, io), { userAgent: `celadon/${VERSION}` });
}

async function connectionOf(args: Flags<"context" | "kubeconfig">, io: Io): Promise<Connection> {
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
