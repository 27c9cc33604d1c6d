// `celadon up`: runs a Kubernetes API server with admission in process, until it is stopped.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type LaunchedServer, launch, PkiError, StaticManifestsError, UnknownNameError } from "@celadon/apiserver";
import { thrownText } from "@celadon/base";
import { makeDirectory } from "@celadon/storage/directory";
import { FILES } from "../inputs/options.ts";
import { nodeFiles } from "../io-node.ts";
import { FEATURE_GATES, gatesOf } from "../live-cluster/gates.ts";
import { untilStopped } from "../live-cluster/log.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import { say } from "../output/say.ts";
import { unwritable, writeFiles } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { optimiseSooner } from "../program/v8.ts";
import { DATA_DIR, dataDirectory } from "../store/place.ts";
import type { applyInputs } from "../up/apply-inputs.ts";
import { authenticationOf } from "../up/authentication.ts";
import { authorizationChainOf } from "../up/authorization.ts";
import { configurationOf } from "../up/configuration.ts";
import { envtestOptions } from "../up/envtest.ts";
import { ETCD_SECURITY } from "../up/etcd-security.ts";
import {
  authorizationOf,
  flagsWithoutEffect,
  KUBE_APISERVER_FLAGS,
  kubeApiserverOptions,
} from "../up/kube-apiserver-flags.ts";
import { openStore } from "../up/open-store.ts";
import { checkOwnDirectory } from "../up/own-directory.ts";
import { checkRuntimeConfig } from "../up/runtime-config.ts";
import { servedVersion } from "../up/served-version.ts";
import { type ServerLog, serverLog } from "../up/server-log.ts";

const PORT = 6443;

// biome-ignore format: one option per line
const OPTIONS = [
  { ...FILES, help: "manifests to apply at the start: file, directory (searched recursively), glob, or - for standard input" },
  { name: "watch", help: "apply the manifests again when their files change" },
  { name: "host", value: "ADDRESS", help: "address to listen on", fallback: "127.0.0.1" },
  { name: "port", value: "PORT", help: "port to listen on", fallback: "6443, or a free one" },
  { ...DATA_DIR, help: "directory for objects, keys and kubeconfig" },
  { name: "memory", help: "keep objects in memory only" },
  { name: "etcd-servers", value: "URL", repeatable: true, help: "keep objects in an etcd cluster, which several servers can share" },
  { name: "etcd-prefix", value: "PREFIX", help: "prefix of all keys in etcd", fallback: "/celadon" },
  ...ETCD_SECURITY,
  { name: "envtest", help: "be the control plane of controller-runtime's envtest: in memory, without controllers, health for everybody" },
  { name: "simulate", help: "simulate a cluster: nodes that are ready, pods that are placed and become ready, and the controllers of workloads" },
  { name: "anonymous-health", help: "let everybody ask /healthz, /livez and /readyz, for load balancers" },
  { name: "kubeconfig", value: "FILE", help: "where to write the kubeconfig", fallback: "kubeconfig in the data directory", choices: "files" },
  { name: "audit-log", value: "FILE", help: "append an audit event for every request, as JSON lines", choices: "files" },
  { name: "audit-policy", value: "FILE", help: "audit.k8s.io/v1 Policy: which requests to log, and in how much detail", choices: "files" },
  { name: "tls-san", value: "NAME", repeatable: true, help: "additional host name or address for the server's certificate" },
  { name: "client-ca-file", value: "FILE", help: "additional CA certificates; client certificates signed by them authenticate users", choices: "files" },
  { name: "token-auth-file", value: "FILE", help: "CSV file of bearer tokens and their users: token,user,uid,\"group1,group2\"", choices: "files" },
  { name: "authentication-config", value: "FILE", help: "apiserver.config.k8s.io/v1 AuthenticationConfiguration: users by tokens of other issuers; read again when it changes", choices: "files" },
  { name: "authorization-config", value: "FILE", help: "apiserver.config.k8s.io/v1 AuthorizationConfiguration: authorizers in order, webhooks among them; read again when it changes", choices: "files" },
  { name: "kube-version", value: "VERSION", help: "Kubernetes version to emulate, such as 1.32", fallback: "the newest" },
  { name: "authorization", value: "MODE", help: "authorization mode: RBAC or AlwaysAllow", choices: ["RBAC", "AlwaysAllow"], strict: true, fallback: "RBAC" },
  { name: "request-timeout", value: "SECONDS", help: "time limit for a request, except watches", fallback: "60" },
  { name: "max-requests-inflight", value: "N", help: "seats of concurrent requests, shared by priority levels; others wait, then get 429", fallback: "600" },
  { name: "max-watches", value: "N", help: "maximum number of concurrent watches; the user with most gives way", fallback: "10000" },
  { name: "policy-lag", value: "MS", help: "delay in milliseconds before policies, bindings and webhooks take effect, to imitate kube-apiserver", fallback: "0" },
  FEATURE_GATES,
  { name: "admission-control-config-file", value: "FILE", help: "apiserver.config.k8s.io/v1 AdmissionConfiguration with staticManifestsDir: directories of static policies and webhooks", choices: "files" },
  { name: "disable-admission-plugins", value: "NAMES", repeatable: true, help: "admission plugins to disable, separated by commas, such as ServiceAccount" },
  { name: "without-controller", value: "NAME", repeatable: true, help: "controller to disable: namespace, serviceaccount, root-ca-certificate-publisher, customresourcedefinition, validatingadmissionpolicy-status, storage-protection, garbage-collector, resourcequota, flowschema, clusterrole-aggregation, apiservice-registration, cluster-authentication-info, server-identity, service-addresses, component-objects" },
  ...KUBE_APISERVER_FLAGS,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "up",
  summary: "run a Kubernetes API server that enforces policies in process",
  usage: "[-f PATH…] [flags]",
  about: `Starts an API server that behaves like the newest Kubernetes, or the version of --kube-version: kubectl, client-go, controller-runtime and client-node work with it.
Policies, webhooks, CustomResourceDefinitions and RBAC take effect with the next request. There are no nodes, so pods stay pending; with
--simulate they are placed and become ready, without containers.

Objects are kept in the data directory, in memory or in etcd. A kubeconfig for an administrator is written to the data directory.
Ctrl-C stops the server after running requests have finished.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    { what: "try policies on a server in memory", line: "celadon up --memory -f policies/" },
    { what: "apply again when a file is saved", line: "celadon up --memory -f policies/ --watch" },
    {
      what: "use an etcd cluster",
      line: "celadon up --etcd-servers https://10.0.0.1:2379 --etcd-cafile ca.crt",
    },
    { what: "simulate nodes, pods and workloads", line: "celadon up --memory --simulate -f manifests/" },
    { what: "stand in for envtest's control plane", line: "celadon up --envtest --port 0" },
  ],
  run: up,
});

async function up(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  io.catchSignals();
  const started = io.now();
  const log = serverLog(io, paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env)));
  const paths = [...args.list("filename"), ...args.positionals];
  if (args.on("watch") && paths.length === 0) {
    throw new UsageError("--watch needs files to watch", "name them: celadon up -f policies/ --watch");
  }
  checkSimulation(args);
  const place = placeOf(args, io);
  for (const name of flagsWithoutEffect(args)) log.note("info", `--${name} has no effect`);
  try {
    const launched = await start(args, io, log, place.directory);
    const kubeconfig = await writeKubeconfig(args, io, launched, place.directory);
    const ready = io.now() - started;
    if (paths.length > 0) await apply(launched, paths, args, io, log, false);
    printAddress(args, io, launched, kubeconfig, ready);
    if (args.on("watch")) watchInputs(launched, paths, args, io, log);
    io.hasStarted();
    optimiseSooner();
    await untilStopped(io.signal);
    io.endInOrder();
    log.note("info", "stopping: requests finish, watches close");
    await launched.close();
    return EXIT.ok;
  } finally {
    log.close();
    if (place.isTemporary) rmSync(place.directory, { recursive: true, force: true });
  }
}

/** Several servers that simulate one cluster would each start its pods. */
function checkSimulation(args: ArgsOf<typeof OPTIONS>): void {
  if (!args.on("simulate")) return;
  for (const other of ["envtest", "etcd-servers"] as const) {
    if (!args.on(other)) continue;
    throw new UsageError(`--simulate and --${other} cannot be used together`, "omit one of them");
  }
}

interface DataDirectory {
  readonly directory: string;
  readonly isTemporary: boolean;
}

/** In memory nothing is kept, so the kubeconfig goes with the rest. */
function placeOf(args: ArgsOf<typeof OPTIONS>, io: Io): DataDirectory {
  if ((args.on("memory") || args.on("envtest")) && args.text("data-dir") === undefined) {
    return { directory: mkdtempSync(join(tmpdir(), "celadon-")), isTemporary: true };
  }
  return { directory: dataDirectory(args, io), isTemporary: false };
}

async function start(args: ArgsOf<typeof OPTIONS>, io: Io, log: ServerLog, directory: string): Promise<LaunchedServer> {
  const configuration = configurationOf(args, io);
  try {
    makeDirectory(directory);
  } catch (error) {
    throw unwritable(error, directory) ?? error;
  }
  checkOwnDirectory(directory);
  const { exclusive, place, opening } = openStore(args, io, directory);
  const range = { min: 0, max: 65_535 };
  const port = args.number("port", range) ?? args.number("secure-port", range);
  const disabled = {
    withoutControllers: args.list("without-controller"),
    withoutPlugins: namesOf(args.list("disable-admission-plugins")),
  };
  const options = {
    store: opening,
    exclusive,
    host: args.text("host") ?? args.text("bind-address") ?? "127.0.0.1",
    directory,
    authorization: authorizationOf(args),
    withPlugins: namesOf(args.list("enable-admission-plugins")),
    anonymousHealth: args.on("anonymous-health"),
    ...disabled,
    simulate: args.on("simulate"),
    ...(args.on("envtest") && envtestOptions(disabled)),
    largeThread: LARGE_THREAD,
    componentObjects: true,
    ...(await authenticationOf(args, io, log)),
    ...(await authorizationChainOf(args, io, log)),
    gates: gatesOf(args),
    kubeVersion: servedVersion(args.text("kube-version")),
    policyLag: args.number("policy-lag", { min: 0, max: 60_000 }) ?? 0,
    names: args.list("tls-san"),
    ...configuration,
    ...kubeApiserverOptions(args, io),
    ...(!args.on("quiet") && { observe: log.request }),
  };
  const launched = await listening(options, port);
  try {
    await checkRuntimeConfig(args.list("runtime-config"), launched);
  } catch (error) {
    await launched.close();
    throw error;
  }
  log.note("info", `objects are in ${place}`);
  return launched;
}

const namesOf = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(",")).filter((name) => name !== "");

/** The place in the bundle, relative to any of its chunks; sources are run without threads. */
const LARGE_THREAD = new URL("../up/large-thread.js", import.meta.url);

type LaunchOptions = Parameters<typeof launch>[0] & { readonly directory: string };

/** On the usual port, or on any free one if that is in use. */
async function listening(options: LaunchOptions, port: number | undefined): Promise<LaunchedServer> {
  try {
    return await launch({ ...options, port: port ?? PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unusable = unwritable(error, options.directory);
    if (unusable !== undefined) throw unusable;
    if (code === "EADDRINUSE" && port === undefined) return launch({ ...options, port: 0 });
    if (code === "EADDRINUSE")
      throw new UsageError(`port ${port} is in use`, "choose another --port, or omit it to use a free one");
    if (error instanceof StaticManifestsError || error instanceof UnknownNameError || error instanceof PkiError) {
      throw new UsageError(message);
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL") throw new UsageError(`cannot listen: ${message}`);
    throw error;
  }
}

/** A server without one would be of no use. */
async function writeKubeconfig(
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
  launched: LaunchedServer,
  directory: string,
): Promise<string> {
  const file = resolve(io.cwd, args.text("kubeconfig") ?? join(directory, "kubeconfig"));
  try {
    await writeFiles(new Map([[file, launched.kubeconfig]]), { files: nodeFiles(io.cwd) }, 0o600);
  } catch (error) {
    await launched.close();
    throw error;
  }
  return file;
}

function printAddress(
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
  { url }: LaunchedServer,
  kubeconfig: string,
  milliseconds: number,
): void {
  const paint = paintOf(wantsColour(args.text("color"), io.out.isTerminal, io.env));
  const seconds = (milliseconds / 1000).toFixed(1);
  say(io, `${paint.bold(`Kubernetes API at ${url}`)}, ready after ${seconds} s`);
  say(io, "");
  say(io, `  export KUBECONFIG=${shellWord(kubeconfig)}`);
  say(io, "  kubectl get namespaces");
  say(io, "");
}

/** Quotes a text for a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The code that reads and applies manifests is loaded when there are some. */
const apply: typeof applyInputs = async (...given) => (await import("../up/apply-inputs.ts")).applyInputs(...given);

/** Several changes at once are one. */
const SETTLE_MS = 100;

function watchInputs(
  launched: LaunchedServer,
  paths: readonly string[],
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
  log: ServerLog,
): void {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<unknown> = Promise.resolve();
  const again = (): void => {
    work = work
      .then(() => apply(launched, paths, args, io, log, true))
      .catch((error: unknown) => log.note("error", thrownText(error)));
  };
  io.files.watch(
    paths,
    () => {
      clearTimeout(timer);
      timer = setTimeout(again, SETTLE_MS);
    },
    io.signal,
  );
}
