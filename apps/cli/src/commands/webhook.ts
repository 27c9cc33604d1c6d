// `celadon webhook`: enforces policies in a cluster through admission webhooks.

import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Api } from "@celadon/client";
import { retried } from "@celadon/cluster/program";
import {
  AUTHORIZER_SOURCES,
  type AuthorizerSource,
  type ConfigurationSettings,
  OWN_GROUP,
  type PolicyGroup,
  type ReviewedRequest,
  WebhookProgram,
} from "@celadon/cluster/webhook";
import { CURRENT, type Minor } from "@celadon/kube-cel";
import { KUBE_VERSION } from "../inputs/options.ts";
import { listenAddress, listenError, reachedBy } from "../live-cluster/addresses.ts";
import { readAuthority, readCertificateFiles, watchCertificateFiles } from "../live-cluster/certificate-files.ts";
import { emulatedVersion } from "../live-cluster/cluster-version.ts";
import { connect } from "../live-cluster/connect.ts";
import { FEATURE_GATES, gatesOf } from "../live-cluster/gates.ts";
import { type Log, logTo, untilStopped } from "../live-cluster/log.ts";
import { CLUSTER } from "../live-cluster/options.ts";
import { recordedLine } from "../live-cluster/recorded-line.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { optimiseSooner } from "../program/v8.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

const GROUPS: readonly PolicyGroup[] = ["admissionregistration.k8s.io", OWN_GROUP];

// biome-ignore format: one option per line
const OPTIONS = [
  ...CLUSTER,
  { name: "listen",             value: "ADDRESS:PORT", help: "address to serve on; use 0.0.0.0:9443 in a pod",                             fallback: "127.0.0.1:9443" },
  { name: "namespace",          value: "NAME",         help: "namespace the webhook runs in; nothing is enforced in it",            fallback: "the context's" },
  { name: "service",            value: "NAME[:PORT]",  help: "Service through which the API server reaches the webhook",                        fallback: "celadon-webhook:443" },
  { name: "url",                value: "URL",          help: "URL at which the API server reaches the webhook, instead of a Service" },
  { name: "name",               value: "NAME",         help: "name of the webhook configurations, the Lease and the Secret",        fallback: "celadon-webhook" },
  { name: "group",              value: "GROUP",        help: "API group of the policies: Kubernetes' own, or that of Celadon's CRDs", choices: GROUPS, strict: true, repeatable: true, fallback: "both" },
  { name: "tls-cert",           value: "FILE",         help: "serving certificate, reloaded when it changes; by default the webhook keeps certificates in a Secret", choices: "files" },
  { name: "tls-key",            value: "FILE",         help: "private key of the certificate",                                              choices: "files" },
  { name: "tls-ca",             value: "FILE",         help: "CA certificate for the webhook configurations",                           choices: "files" },
  { name: "client-ca",          value: "FILE",         help: "CA certificate of the client certificate with which the API server calls webhooks; other clients get 403", choices: "files" },
  { name: "owner-role",         value: "NAME",         help: "ClusterRole that owns the webhook configurations: deleting it deletes them" },
  { name: "exclude-namespace",  value: "NAME",         help: "namespace in which no policy is enforced",                              repeatable: true },
  { name: "escape-label",       value: "KEY",          help: "label that exempts an object from all policies; whoever may set it can bypass them" },
  { name: "safe-mode",                                 help: "never block requests when the webhook is down, even if a policy's failurePolicy is Fail" },
  { name: "timeout",            value: "SECONDS",      help: "time the API server waits for an answer",                         fallback: "5" },
  { name: "events",                                    help: "write an Event for each denied request, at a limited rate" },
  { name: "log-requests",                              help: "log every review with its verdict and duration, not only denials" },
  { name: "record",             value: "FILE",         help: "append every review with its answer to a file of JSON lines, for diff --recorded and check; reviews contain whole objects, including Secrets", choices: "files" },
  { name: "authorizer",         value: "SOURCE",       help: "source for authorizer in expressions: access-reviews sends SubjectAccessReviews to the API server, rbac evaluates the cluster's RBAC objects", choices: AUTHORIZER_SOURCES, strict: true, fallback: "access-reviews" },
  FEATURE_GATES,
  { ...KUBE_VERSION, fallback: "the cluster's version" },
  { name: "drain",              value: "SECONDS",      help: "time to keep serving after a request to stop",                             fallback: "10" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "webhook",
  summary: "enforce policies in a cluster through admission webhooks",
  usage: "[flags]",
  about: `Watches the validating and mutating policies, bindings and params of a cluster and enforces them as an API server would: for clusters
whose API server lacks the feature or has it disabled. Maintains its own webhook configurations, so that the API server calls it only
for requests that policies match. Keeps its certificates in a Secret, unless they are given as files.

All replicas answer requests; the one that holds the Lease writes to the cluster. /healthz, /readyz and /metrics are served on the same
port.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "run in a pod", line: "celadon webhook --listen 0.0.0.0:9443" },
    {
      what: "run on a workstation that the cluster can reach",
      line: "celadon webhook --url https://192.168.1.5:9443 --listen 192.168.1.5:9443",
    },
    { what: "record requests, to compare policies with later", line: "celadon webhook --record reviews.jsonl" },
  ],
  run: webhook,
});

async function webhook(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const gates = gatesOf(args);
  const given = args.text("kube-version");
  const wanted = given === undefined ? undefined : parseKubeVersion(given);
  const { host, port } = listenAddress("listen", args.text("listen") ?? "127.0.0.1:9443");
  const api = await connect(args, io);
  const namespace = args.text("namespace") ?? api.connection.namespace;
  const name = args.text("name") ?? "celadon-webhook";
  const files = certificateFiles(args);
  const address = addressOf(args, namespace, name);
  const clientCa = args.text("client-ca");
  const authority = clientCa === undefined ? undefined : await readAuthority(clientCa, io);
  const certificates =
    files === undefined ? { secret: `${name}-tls`, names: namesOf(address) } : await readCertificateFiles(files, io);
  const log = logTo(io);
  io.catchSignals();
  const groups = args.list("group").length > 0 ? (args.list("group") as readonly PolicyGroup[]) : GROUPS;
  const prepared = await Promise.race([
    prepare(args, api, groups, { log, signal: io.signal }),
    untilStopped(io.signal),
  ]);
  if (prepared === undefined) return EXIT.ok;
  const { owner } = prepared;
  const record = args.text("record");
  const program = new WebhookProgram(api, {
    host,
    port,
    groups,
    configuration: {
      name,
      address,
      ownNamespace: namespace,
      excludeNamespaces: args.list("exclude-namespace"),
      ...(args.text("escape-label") !== undefined && { escapeLabel: args.text("escape-label")! }),
      safeMode: args.on("safe-mode"),
      ...(owner && { owner }),
      timeoutSeconds: args.number("timeout", { min: 1, max: 30 }) ?? 5,
    },
    certificates,
    ...(authority !== undefined && { clientCa: authority }),
    lease: name,
    gates,
    kubeVersion: wanted ?? prepared.kubeVersion,
    deadlineMs: (args.number("timeout", { min: 1, max: 30 }) ?? 5) * 1000,
    events: args.on("events"),
    logRequests: args.on("log-requests"),
    authorizer: (args.text("authorizer") ?? "access-reviews") as AuthorizerSource,
    log,
    ...(record !== undefined && {
      record: (body: unknown, { answer }: ReviewedRequest) =>
        appendFileSync(resolve(io.cwd, record), recordedLine(body as object, answer.response), { mode: 0o600 }),
    }),
    drainMs: (args.number("drain", { min: 0, max: 600 }) ?? 10) * 1000,
  });
  const serving = program.start().then(({ url }) => {
    log("info", `serving at ${url}`);
    if (files !== undefined && "certificate" in certificates)
      watchCertificateFiles(files, certificates, io, (next) => program.replaceCertificates(next));
    io.hasStarted();
    optimiseSooner();
    return untilStopped(io.signal);
  });
  await Promise.race([serving, untilStopped(io.signal)]).catch((error) => {
    throw listenError(error);
  });
  io.endInOrder();
  log("info", "stopping");
  await program.stop();
  api.close();
  return EXIT.ok;
}

/** Fetches the facts without which it cannot start, and tries again until the API server answers. */
async function prepare(
  args: ArgsOf<typeof OPTIONS>,
  api: Api,
  groups: readonly PolicyGroup[],
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<{ readonly owner: ConfigurationSettings["owner"]; readonly kubeVersion: Minor }> {
  const waiting = { failed: (error: unknown) => log("warn", (error as Error).message), signal };
  const version = await retried(() => api.raw("/version"), waiting);
  if (groups.includes("admissionregistration.k8s.io")) warnOfTwice(version, log);
  const kubeVersion = enforcedVersion(version);
  if (args.text("kube-version") === undefined) log("info", `emulating Kubernetes ${kubeVersion}`);
  return { owner: await retried(() => ownerOf(args, api), waiting), kubeVersion };
}

/** The cluster's version, so that policies decide as they will once the cluster enforces them; the newest if it never knew policies. */
function enforcedVersion(answer: unknown): Minor {
  const { minor, isOlder } = emulatedVersion(answer);
  return minor === undefined || isOlder ? CURRENT : minor;
}

const CLUSTER_ROLES = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" } as const;

async function ownerOf(args: ArgsOf<typeof OPTIONS>, api: Api): Promise<ConfigurationSettings["owner"]> {
  const name = args.text("owner-role");
  if (name === undefined) return undefined;
  const role = await api.find(CLUSTER_ROLES, { name });
  if (role?.metadata?.uid === undefined) throw new UsageError(`ClusterRole "${name}" not found`);
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name, uid: role.metadata.uid };
}

/** Since 1.30 an API server enforces validating policies itself, and since 1.36 mutating ones, unless their plugins are off. */
function warnOfTwice(version: unknown, log: Log): void {
  const { major, minor } = version as { readonly major?: string; readonly minor?: string };
  const number = Number.parseInt(minor ?? "", 10);
  if (major !== "1" || !(number >= 30)) return;
  const what = number >= 36 ? "validating and mutating policies" : "validating policies";
  log(
    "warn",
    `Kubernetes 1.${number} enforces ${what} of admissionregistration.k8s.io itself; use --group ${OWN_GROUP} unless their admission plugins are disabled`,
  );
}

type Address =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

function addressOf(args: ArgsOf<typeof OPTIONS>, namespace: string, name: string): Address {
  const by = reachedBy(args, { url: "url", service: "service", fallback: name });
  return "url" in by ? by : { service: { namespace, name: by.service, port: by.port } };
}

/** The names by which the API server calls this program. */
function namesOf(address: Address): readonly string[] {
  if ("url" in address) return [new URL(address.url).hostname.replace(/^\[|\]$/g, "")];
  const { name, namespace } = address.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}

function certificateFiles(
  args: ArgsOf<typeof OPTIONS>,
): { readonly certificate: string; readonly key: string; readonly ca: string | undefined } | undefined {
  const [certificate, key] = [args.text("tls-cert"), args.text("tls-key")];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new UsageError("--tls-cert and --tls-key must be used together");
  return { certificate, key, ca: args.text("tls-ca") };
}
