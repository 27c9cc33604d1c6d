// `celadon up`: runs a Kubernetes API server with admission in process, until it is told to stop.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type LaunchedServer, launch } from "@celadon/apiserver";
import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";
import { type Paint, paintOf, wantsColour } from "../output/paint.ts";
import { applyInputs } from "../up/apply-inputs.ts";
import { openStore } from "../up/open-store.ts";
import { requestJson, requestLine } from "../up/request-log.ts";

const PORT = 6443;

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  { ...FILES, help: "apply these manifests at the start: file, directory (walked), glob, or -" },
  { name: "watch", help: "apply the manifests again when their files change" },
  { name: "host", value: "ADDRESS", help: "address to listen at", fallback: "127.0.0.1" },
  { name: "port", value: "PORT", help: "port to listen at", fallback: "6443, or a free one" },
  { name: "data-dir", value: "DIR", help: "directory of objects, keys and kubeconfig", fallback: "~/.local/share/celadon", choices: "files" },
  { name: "memory", help: "keep objects in memory only" },
  { name: "etcd-servers", value: "URL", repeatable: true, help: "keep objects in an etcd cluster, which several servers may share" },
  { name: "etcd-prefix", value: "PREFIX", help: "where in etcd", fallback: "/celadon" },
  { name: "kubeconfig", value: "FILE", help: "where to write the kubeconfig", fallback: "kubeconfig in the data directory", choices: "files" },
  { name: "audit-log", value: "FILE", help: "append an audit event of every request, as JSON lines", choices: "files" },
  { name: "authorization", value: "MODE", help: "who may do what: RBAC or AlwaysAllow", choices: ["RBAC", "AlwaysAllow"], strict: true, fallback: "RBAC" },
  { name: "without-controller", value: "NAME", repeatable: true, help: "do not run a controller: namespace, namespace-contents, customresourcedefinition, validatingadmissionpolicy-status" },
];

export const command: Command = {
  name: "up",
  summary: "run a Kubernetes API server that enforces policies in process",
  usage: "[-f PATH…] [flags]",
  about: `Starts an API server as Kubernetes 1.36 has it: kubectl, client-go, controller-runtime and client-node talk to it as to a cluster. Policies,
webhooks, CustomResourceDefinitions and RBAC are enforced from the request after the one that wrote them. There are no nodes: pods are
stored and stay pending.

Objects are kept in the data directory (or in memory, or in etcd) and a kubeconfig for an administrator is written beside them. Ctrl-C ends the
server: requests finish, watches close.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    { what: "a server in memory, with policies to try", line: "celadon up --memory -f policies/" },
    { what: "apply again whenever a file is saved", line: "celadon up --memory -f policies/ --watch" },
    {
      what: "several servers on one etcd cluster",
      line: "celadon up --etcd-servers https://10.0.0.1:2379,https://10.0.0.2:2379",
    },
  ],
  run: up,
};

async function up(args: Args, io: Io): Promise<ExitCode> {
  io.catchSignals();
  const started = io.now();
  const paint = paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env));
  const paths = [...args.list("filename"), ...args.positionals];
  if (args.on("watch") && paths.length === 0) {
    throw new UsageError("--watch needs files to watch", "name them: celadon up -f policies/ --watch");
  }
  const place = dataDirectory(args, io);
  try {
    const launched = await start(args, io, paint, place.directory);
    const kubeconfig = writeKubeconfig(args, io, launched, place.directory);
    const ready = io.now() - started;
    if (paths.length > 0) await applyInputs(launched, paths, args, io, paint, false);
    tellAddress(io, launched, kubeconfig, ready, paint);
    if (args.on("watch")) watchInputs(launched, paths, args, io, paint);
    await ended(io.signal);
    io.err.write("stopping\n");
    await launched.close();
    return EXIT.ok;
  } finally {
    if (place.isTemporary) rmSync(place.directory, { recursive: true, force: true });
  }
}

interface DataDirectory {
  readonly directory: string;
  readonly isTemporary: boolean;
}

/** In memory nothing is kept, so the kubeconfig goes with the rest. */
function dataDirectory(args: Args, io: Io): DataDirectory {
  const given = args.text("data-dir");
  if (given !== undefined) return { directory: resolve(io.cwd, given), isTemporary: false };
  if (args.on("memory")) return { directory: mkdtempSync(join(tmpdir(), "celadon-")), isTemporary: true };
  const base = io.env.XDG_DATA_HOME || join(homedir(), ".local/share");
  return { directory: join(base, "celadon"), isTemporary: false };
}

async function start(args: Args, io: Io, paint: Paint, directory: string): Promise<LaunchedServer> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { store, exclusive, place } = await openStore(args, directory);
  const port = args.number("port", { min: 0, max: 65_535 });
  const auditLog = args.text("audit-log");
  const without = args.list("without-controller");
  const options = {
    store,
    exclusive,
    host: args.text("host") ?? "127.0.0.1",
    directory,
    authorization: args.text("authorization") === "AlwaysAllow" ? ("AlwaysAllow" as const) : ("RBAC" as const),
    withoutControllers: without,
    ...(auditLog !== undefined && { auditLog: resolve(io.cwd, auditLog) }),
    ...(!args.on("quiet") && {
      observe: io.err.isTerminal
        ? (request: Parameters<typeof requestJson>[0]) => io.err.write(`${requestLine(request, paint)}\n`)
        : (request: Parameters<typeof requestJson>[0]) => io.err.write(`${requestJson(request)}\n`),
    }),
  };
  const launched = await listening(options, port);
  io.err.write(`objects are in ${place}\n`);
  return launched;
}

/** At the usual port, or any when somebody has that one. */
async function listening(options: Parameters<typeof launch>[0], port: number | undefined): Promise<LaunchedServer> {
  try {
    return await launch({ ...options, port: port ?? PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && port === undefined) return launch({ ...options, port: 0 });
    if (code === "EADDRINUSE")
      throw new UsageError(`port ${port} is in use`, "give another --port, or none for a free one");
    if (code === "EACCES" || code === "EADDRNOTAVAIL") throw new UsageError(`cannot listen: ${message}`);
    throw error;
  }
}

function writeKubeconfig(args: Args, io: Io, { kubeconfig }: LaunchedServer, directory: string): string {
  const file = resolve(io.cwd, args.text("kubeconfig") ?? join(directory, "kubeconfig"));
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  return file;
}

function tellAddress(io: Io, { url }: LaunchedServer, kubeconfig: string, milliseconds: number, paint: Paint): void {
  const seconds = (milliseconds / 1000).toFixed(1);
  io.out.write(`${paint.bold(`Kubernetes API at ${url}`)}, ready after ${seconds} s\n\n`);
  io.out.write(`  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\n`);
}

/** Several changes at once are one. */
const SETTLE_MS = 100;

function watchInputs(launched: LaunchedServer, paths: readonly string[], args: Args, io: Io, paint: Paint): void {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<unknown> = Promise.resolve();
  const again = (): void => {
    work = work
      .then(() => applyInputs(launched, paths, args, io, paint, true))
      .catch((error: unknown) => {
        io.err.write(`${paint.red("error")}: ${error instanceof Error ? error.message : String(error)}\n`);
      });
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

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
