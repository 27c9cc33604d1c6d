// The file of `--authorization-config`: put in force before the server starts, and again when it changes. A change that is invalid has no
// effect.

import { statSync } from "node:fs";
import type { LaunchOptions } from "@celadon/apiserver";
import { acceptAuthorization, type CompiledAuthorization } from "@celadon/kube-cel/access";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { readAccessFile, watchAccessFile } from "./access-file.ts";
import { servedVersion } from "./served-version.ts";
import type { ServerLog } from "./server-log.ts";

type Flags = Args<"authorization" | "authorization-config" | "authorization-mode" | "kube-version">;

export async function authorizationChainOf(
  args: Flags,
  io: Io,
  log: ServerLog,
): Promise<Pick<LaunchOptions, "authorizationChain">> {
  const file = args.text("authorization-config");
  if (file === undefined) return {};
  if (args.text("authorization") !== undefined || args.list("authorization-mode").length > 0) {
    throw new UsageError("--authorization-config cannot be used with an authorization mode", "omit one of them");
  }
  const first = readConfiguration(args, io, file);
  if (typeof first === "string") throw new UsageError(first, `celadon check ${file} shows all problems`);
  const { ConfiguredChain } = await import("@celadon/apiserver/access");
  const authorizationChain = new ConfiguredChain({ observe: (problem) => log.note("warn", problem) });
  const problem = await authorizationChain.use(first);
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`);
  watchAccessFile(io, file, async () => {
    const next = readConfiguration(args, io, file);
    const refused = typeof next === "string" ? next : await authorizationChain.use(next);
    if (refused === undefined) log.note("info", `${file} is in force`);
    else log.note("error", `${refused}; the previous configuration stays in force`);
  });
  return { authorizationChain };
}

/** The configuration, or why it cannot be in force. */
function readConfiguration(args: Flags, io: Io, file: string): CompiledAuthorization | string {
  const read = readAccessFile(io, file, "AuthorizationConfiguration");
  if (typeof read === "string") return read;
  const kubeVersion = servedVersion(args.text("kube-version"));
  const { resource, status } = acceptAuthorization(read, { kubeVersion, fileProblem });
  if (resource !== undefined && status === undefined) return resource;
  return `${file}: invalid authorization configuration: ${status?.message}`;
}

/** Go's words about a file that does not exist or is none. */
function fileProblem(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? undefined : "must be a regular file";
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "no such file or directory" : message;
    return `error loading file: stat ${path}: ${why}`;
  }
}
