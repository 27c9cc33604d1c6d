// The credentials of `celadon up` for an etcd cluster, and the check of the cluster's own: certificates under kube-apiserver's flags, a
// user with a password.

import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { Args, NamesOf, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

const PASSWORD = "CELADON_ETCD_PASSWORD";

// biome-ignore format: one option per line
export const ETCD_SECURITY = [
  { name: "etcd-cafile", value: "FILE", help: "CA certificates to verify etcd's certificate with", choices: "files" },
  { name: "etcd-certfile", value: "FILE", help: "client certificate for etcd", choices: "files" },
  { name: "etcd-keyfile", value: "FILE", help: "private key of the client certificate", choices: "files" },
  { name: "etcd-user", value: "NAME", help: `etcd user; the password is read from ${PASSWORD}` },
] as const satisfies readonly Option[];

export interface EtcdSecurity {
  readonly tls?: SecureContextOptions;
  readonly user?: string;
  readonly password?: string;
}

export async function etcdSecurity(args: Args<NamesOf<typeof ETCD_SECURITY>>, io: Io): Promise<EtcdSecurity> {
  if ((args.text("etcd-certfile") === undefined) !== (args.text("etcd-keyfile") === undefined)) {
    throw new UsageError("--etcd-certfile and --etcd-keyfile must be used together", "give both or neither");
  }
  const [ca, cert, key] = await Promise.all(
    (["etcd-cafile", "etcd-certfile", "etcd-keyfile"] as const).map((flag) => fileOf(flag, args, io)),
  );
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  if (Object.keys(tls).length > 0) checkTls(tls);
  const user = args.text("etcd-user");
  const password = io.env[PASSWORD];
  if (user !== undefined && password === undefined) {
    throw new UsageError("--etcd-user needs a password", `set the environment variable ${PASSWORD}`);
  }
  return {
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(user !== undefined && password !== undefined && { user, password }),
  };
}

async function fileOf<Name extends string>(flag: Name, args: Args<Name>, io: Io): Promise<Buffer | undefined> {
  const path = args.text(flag);
  if (path === undefined) return undefined;
  try {
    return Buffer.from(await io.files.read(path));
  } catch (error) {
    throw new UsageError(`--${flag}: cannot read ${path}: ${(error as Error).message}`);
  }
}

/** A broken key, or one of another certificate, is better reported now than at every connection. */
function checkTls(tls: SecureContextOptions): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    const hint = "the files must be PEM: -----BEGIN CERTIFICATE-----";
    throw new UsageError(`the certificates for etcd cannot be used: ${(error as Error).message}`, hint);
  }
}
