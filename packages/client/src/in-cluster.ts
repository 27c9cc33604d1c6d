// The connection of a program that runs in a pod: the service account that is mounted into it. The kubelet replaces the token well
// before it ends, so it is read again every minute.

import { readFile } from "node:fs/promises";
import type { Connection, Credential } from "./connection.ts";

const MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const REREAD_MS = 60_000;

/** The files of a service account. */
export interface InClusterOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly mount?: string;
  readonly now?: () => number;
}

/** Undefined outside a cluster. */
export async function inCluster(options: InClusterOptions = {}): Promise<Connection | undefined> {
  const { env = process.env, mount = MOUNT, now = Date.now } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  const read = async (name: string): Promise<string | undefined> =>
    readFile(`${mount}/${name}`, "utf8").catch(() => undefined);
  if ((await read("token")) === undefined) return undefined;
  const [ca, namespace] = await Promise.all([read("ca.crt"), read("namespace")]);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ...(ca !== undefined && { ca }),
    credentials: mountedToken(async () => (await read("token"))?.trim(), now),
    namespace: namespace?.trim() || "default",
  };
}

function mountedToken(read: () => Promise<string | undefined>, now: () => number): Connection["credentials"] {
  let known: { readonly credential: Credential; readonly at: number } | undefined;
  return {
    current: async () => {
      if (known !== undefined && now() - known.at < REREAD_MS) return known.credential;
      const token = await read();
      // A file that cannot be read for a moment is no reason to forget a token that still works.
      if (token === undefined) return known?.credential ?? {};
      known = { credential: { authorization: `Bearer ${token}` }, at: now() };
      return known.credential;
    },
    rejected: () => {
      known = undefined;
    },
  };
}
