// kube-apiserver's own flags of `celadon up`, for programs that start an API server by them: envtest, and scripts written for the real one. Each
// has an effect, or is listed as one without; any other is a usage error, so that nobody relies on what does not happen.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LaunchOptions } from "@celadon/apiserver";
import type { Args, NamesOf, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { servedCertificate } from "./served-certificate.ts";
import { serviceRangeOf } from "./service-range.ts";

// biome-ignore format: one option per line
const WITHOUT_EFFECT = [
  { name: "advertise-address", value: "ADDRESS", help: "without effect: the address listened on is published" },
  { name: "allow-privileged", value: "BOOL", help: "without effect: privileged containers are a matter of policies" },
  { name: "enable-aggregator-routing", value: "BOOL", help: "without effect: services are called at their addresses" },
  { name: "endpoint-reconciler-type", value: "TYPE", help: "without effect: the address listened on is published" },
  { name: "event-ttl", value: "DURATION", help: "without effect: events are kept" },
  { name: "max-mutating-requests-inflight", value: "N", help: "without effect: --max-requests-inflight counts all requests" },
  { name: "profiling", value: "BOOL", help: "without effect: there are no profiles" },
  { name: "service-account-key-file", value: "FILE", repeatable: true, help: "without effect: tokens are signed by a key of the server's own" },
  { name: "service-account-signing-key-file", value: "FILE", help: "without effect, likewise" },
  { name: "storage-backend", value: "NAME", help: "without effect: see --etcd-servers and --memory" },
  { name: "watch-cache", value: "BOOL", help: "without effect: watches are always served from memory" },
  { name: "v", value: "LEVEL", help: "without effect: every request is logged unless --quiet is given" },
] as const satisfies readonly Option[];

// biome-ignore format: one option per line
export const KUBE_APISERVER_FLAGS = [
  { name: "tls-cert-file", value: "FILE", help: "certificate to serve with, in PEM; by default one by the server's own authority", choices: "files" },
  { name: "tls-private-key-file", value: "FILE", help: "its private key", choices: "files" },
  { name: "cert-dir", value: "DIR", help: "directory of apiserver.crt and apiserver.key, to serve with; they are made if absent", choices: "files" },
  { name: "bind-address", value: "ADDRESS", help: "the same as --host" },
  { name: "secure-port", value: "PORT", help: "the same as --port" },
  { name: "authorization-mode", value: "MODES", repeatable: true, help: "the same as --authorization; Node is accepted beside RBAC" },
  { name: "audit-log-path", value: "FILE", help: "the same as --audit-log", choices: "files" },
  { name: "audit-policy-file", value: "FILE", help: "the same as --audit-policy", choices: "files" },
  { name: "service-account-issuer", value: "URL", help: "issuer of the tokens of service accounts" },
  { name: "service-cluster-ip-range", value: "CIDR", help: "range of the addresses of services", fallback: "10.0.0.0/16" },
  { name: "enable-admission-plugins", value: "NAMES", repeatable: true, help: "admission plugins that must be on: all that Kubernetes has on by default are, and NodeRestriction" },
  { name: "runtime-config", value: "VERSIONS", repeatable: true, help: "versions that must be served: those that Kubernetes serves by default are" },
  { name: "anonymous-auth", value: "BOOL", help: "false is the default; see --anonymous-health", choices: ["false"], strict: true },
  ...WITHOUT_EFFECT,
] as const satisfies readonly Option[];

type Flag = NamesOf<typeof KUBE_APISERVER_FLAGS> | "tls-san";

/** The flags given that have no effect. */
export function flagsWithoutEffect(args: Args<Flag>): readonly string[] {
  return WITHOUT_EFFECT.map(({ name }) => name).filter((name) => args.list(name).length > 0);
}

export function kubeApiserverOptions(
  args: Args<Flag>,
  io: Io,
): Pick<LaunchOptions, "serving" | "issuer" | "serviceRange"> {
  const issuer = args.text("service-account-issuer");
  const range = args.text("service-cluster-ip-range");
  return {
    ...serving(args, io),
    ...(issuer !== undefined && { issuer }),
    ...(range !== undefined && { serviceRange: serviceRangeOf(range) }),
  };
}

/** The modes by which requests are authorized; nodes are what Celadon has none of. */
export function authorizationOf(args: Args<"authorization" | "authorization-mode">): "RBAC" | "AlwaysAllow" {
  const own = args.text("authorization");
  const modes = args.list("authorization-mode").flatMap((text) => text.split(","));
  if (own !== undefined) return own === "AlwaysAllow" ? "AlwaysAllow" : "RBAC";
  if (modes.includes("AlwaysAllow")) return "AlwaysAllow";
  const unknown = modes.find((mode) => mode !== "RBAC" && mode !== "Node");
  if (unknown === undefined) return "RBAC";
  throw new UsageError(`--authorization-mode ${unknown} is not supported`, "use RBAC, Node,RBAC or AlwaysAllow");
}

function serving(
  args: Args<"cert-dir" | "tls-cert-file" | "tls-private-key-file" | "tls-san">,
  io: Io,
): Pick<LaunchOptions, "serving"> {
  const directory = args.text("cert-dir");
  const certificate = args.text("tls-cert-file");
  const key = args.text("tls-private-key-file");
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert-file and --tls-private-key-file must be used together", "give both or neither");
  }
  if (certificate !== undefined && key !== undefined) {
    return { serving: { certificate: readPem(io, certificate), key: readPem(io, key) } };
  }
  if (directory === undefined) return {};
  const [crt, priv] = [join(directory, "apiserver.crt"), join(directory, "apiserver.key")];
  if (!existsSync(resolve(io.cwd, crt)) && !existsSync(resolve(io.cwd, priv))) {
    return { serving: servedCertificate(resolve(io.cwd, directory), args.list("tls-san")) };
  }
  return { serving: { certificate: readPem(io, crt), key: readPem(io, priv) } };
}

function readPem(io: Io, file: string): string {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`);
  }
  if (text.includes("-----BEGIN ")) return text;
  throw new UsageError(`${file} is not in PEM`);
}
