// The files that `celadon up` reads before it starts: audit policy, static manifests, tokens, authorities of clients.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { UserInfo } from "@celadon/admission";
import {
  type AuditPolicy,
  type LaunchOptions,
  readAdmissionConfiguration,
  readAuditPolicy,
  readTokenFile,
  type StaticDirectories,
} from "@celadon/apiserver";
import { readDocument, readIssueText } from "@celadon/kube/read";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

type Configured = Pick<
  LaunchOptions,
  "auditLog" | "auditPolicy" | "staticManifests" | "tokens" | "clientCa" | "limits"
>;

export function configurationOf(
  args: Args<
    | "admission-control-config-file"
    | "audit-log"
    | "audit-log-path"
    | "audit-policy"
    | "audit-policy-file"
    | "client-ca-file"
    | "max-requests-inflight"
    | "max-watches"
    | "request-timeout"
    | "token-auth-file"
  >,
  io: Io,
): Configured {
  const auditLog = args.text("audit-log") ?? args.text("audit-log-path");
  return {
    ...(auditLog !== undefined && { auditLog: resolve(io.cwd, auditLog) }),
    ...auditPolicy(args, io, auditLog),
    ...staticManifests(args, io),
    ...tokens(args, io),
    ...clientCa(args, io),
    limits: limitsOf(args),
  };
}

function auditPolicy(
  args: Args<"audit-policy" | "audit-policy-file">,
  io: Io,
  auditLog: string | undefined,
): { readonly auditPolicy?: AuditPolicy } {
  const file = args.text("audit-policy") ?? args.text("audit-policy-file");
  if (file === undefined) return {};
  if (auditLog === undefined) {
    throw new UsageError("--audit-policy needs --audit-log", "add --audit-log FILE");
  }
  const policy = readAuditPolicy(readConfiguration(io, file));
  if ("problem" in policy) throw new UsageError(`${file}: invalid audit policy: ${policy.problem}`);
  return { auditPolicy: policy };
}

/** Directories in the file count from where the file is, as in kube-apiserver. */
function staticManifests(
  args: Args<"admission-control-config-file">,
  io: Io,
): { readonly staticManifests?: StaticDirectories } {
  const file = args.text("admission-control-config-file");
  if (file === undefined) return {};
  const directory = dirname(resolve(io.cwd, file));
  const read = readAdmissionConfiguration(readConfiguration(io, file), (path) =>
    readConfiguration(io, resolve(directory, path)),
  );
  if ("problem" in read) throw new UsageError(`${file}: invalid admission configuration: ${read.problem}`);
  return { staticManifests: read as StaticDirectories };
}

function tokens(args: Args<"token-auth-file">, io: Io): Pick<LaunchOptions, "tokens"> {
  const file = args.text("token-auth-file");
  if (file === undefined) return {};
  const users = readTokenFile(readText(io, file));
  if ("problem" in users) throw new UsageError(`${file}: invalid token file: ${users.problem}`);
  return { tokens: Object.fromEntries(users as ReadonlyMap<string, UserInfo>) };
}

function clientCa(args: Args<"client-ca-file">, io: Io): Pick<LaunchOptions, "clientCa"> {
  const file = args.text("client-ca-file");
  if (file === undefined) return {};
  const text = readText(io, file);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new UsageError(`${file} holds no certificate in PEM`);
  return { clientCa: text };
}

function limitsOf(
  args: Args<"max-requests-inflight" | "max-watches" | "request-timeout">,
): NonNullable<LaunchOptions["limits"]> {
  const seconds = args.number("request-timeout", { min: 1, max: 3_600 });
  const requests = args.number("max-requests-inflight", { min: 1, max: 100_000 });
  const watches = args.number("max-watches", { min: 1, max: 1_000_000 });
  return {
    ...(seconds !== undefined && { requestTimeout: seconds * 1000 }),
    ...(requests !== undefined && { maxInFlight: requests }),
    ...(watches !== undefined && { maxWatches: watches }),
  };
}

/** The one document of a file. */
function readConfiguration(io: Io, file: string): unknown {
  const read = readDocument(readText(io, file), { file });
  if ("value" in read) return read.value;
  throw new UsageError(read[0] === undefined ? `${file} is empty` : readIssueText(read[0]));
}

function readText(io: Io, file: string): string {
  try {
    return readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
