// The file of `--authentication-config`: put in force before the server starts, and again when it changes. A change that is invalid has no
// effect.

import type { LaunchOptions } from "@celadon/apiserver";
import { acceptAuthentication, type CompiledAuthentication } from "@celadon/kube-cel/access";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { readAccessFile, watchAccessFile } from "./access-file.ts";
import { servedVersion } from "./served-version.ts";
import type { ServerLog } from "./server-log.ts";

/** The issuer of a server that is not told another. */
const OWN_ISSUER = "https://kubernetes.default.svc.cluster.local";

type Flags = Args<"authentication-config" | "kube-version" | "service-account-issuer">;

export async function authenticationOf(
  args: Flags,
  io: Io,
  log: ServerLog,
): Promise<Pick<LaunchOptions, "authentication">> {
  const file = args.text("authentication-config");
  if (file === undefined) return {};
  const first = readConfiguration(args, io, file);
  if (typeof first === "string") throw new UsageError(first, `celadon check ${file} shows all problems`);
  const { JwtAuthentication } = await import("@celadon/apiserver/access");
  const authentication = new JwtAuthentication({ observe: (problem) => log.note("warn", problem) });
  authentication.use(first);
  watchAccessFile(io, file, () => {
    const next = readConfiguration(args, io, file);
    if (typeof next === "string") log.note("error", `${next}; the previous configuration stays in force`);
    else {
      authentication.use(next);
      log.note("info", `${file} is in force`);
    }
  });
  return { authentication };
}

/** The configuration, or why it cannot be in force. */
function readConfiguration(args: Flags, io: Io, file: string): CompiledAuthentication | string {
  const read = readAccessFile(io, file, "AuthenticationConfiguration");
  if (typeof read === "string") return read;
  const { resource, status } = acceptAuthentication(read, {
    kubeVersion: servedVersion(args.text("kube-version")),
    disallowedIssuers: [args.text("service-account-issuer") ?? OWN_ISSUER],
  });
  if (resource === undefined || status !== undefined) {
    return `${file}: invalid authentication configuration: ${status?.message}`;
  }
  const egress = resource.configuration.jwt?.findIndex(({ issuer }) => issuer?.egressSelectorType !== undefined) ?? -1;
  return egress < 0 ? resource : `${file}: jwt[${egress}].issuer.egressSelectorType is not supported; remove it`;
}
