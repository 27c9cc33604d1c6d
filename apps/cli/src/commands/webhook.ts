// `celadon webhook`: enforces policies in a cluster through admission webhooks.

import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Gates, parseGates } from "@celadon/admission/proposals";
import { OWN_GROUP, type PolicyGroup, WebhookProgram } from "@celadon/cluster/webhook";
import { readCertificateFiles, watchCertificateFiles } from "../cluster/certificate-files.ts";
import { CLUSTER, connect } from "../cluster/connect.ts";
import { logTo, untilStopped } from "../cluster/log.ts";
import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Io } from "../io.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  ...CLUSTER,
  { name: "listen",             value: "ADDRESS:PORT", help: "where to serve; a pod gives 0.0.0.0:9443",                             fallback: "127.0.0.1:9443" },
  { name: "namespace",          value: "NAME",         help: "namespace this runs in; requests in it are never refused",            fallback: "the context's" },
  { name: "service",            value: "NAME[:PORT]",  help: "service by which the API server reaches this",                        fallback: "celadon-webhook:443" },
  { name: "url",                value: "URL",          help: "address by which the API server reaches this, instead of a service" },
  { name: "name",               value: "NAME",         help: "name of the webhook configurations, the Lease and the Secret",        fallback: "celadon-webhook" },
  { name: "group",              value: "GROUP",        help: "where policies come from: the cluster's own kinds, or those of our CRDs", choices: ["admissionregistration.k8s.io", OWN_GROUP], strict: true, repeatable: true, fallback: "admissionregistration.k8s.io" },
  { name: "api-version",        value: "VERSION",      help: "version of admissionregistration.k8s.io that the cluster serves",      choices: ["v1", "v1beta1", "v1alpha1"], strict: true, fallback: "v1" },
  { name: "tls-cert",           value: "FILE",         help: "certificate to serve with, read again when it changes; without one a Secret holds certificates of its own", choices: "files" },
  { name: "tls-key",            value: "FILE",         help: "key of the certificate",                                              choices: "files" },
  { name: "tls-ca",             value: "FILE",         help: "authority that the API server shall trust",                           choices: "files" },
  { name: "exclude-namespace",  value: "NAME",         help: "namespace in which nothing is enforced",                              repeatable: true },
  { name: "escape-label",       value: "KEY",          help: "label whose objects are not looked at; whoever may set it, may pass" },
  { name: "safe-mode",                                 help: "refuse nothing because this does not answer, whatever a policy's failurePolicy says" },
  { name: "timeout",            value: "SECONDS",      help: "how long the API server waits for an answer",                         fallback: "5" },
  { name: "events",                                    help: "write an Event for each denied request, rate-limited" },
  { name: "record",             value: "FILE",         help: "append every review as a JSON line that diff and check read",          choices: "files" },
  { name: "feature-gates",      value: "GATES",        help: "ideas of the proposals to enable, as Name=true,Name=true" },
  { name: "drain",              value: "SECONDS",      help: "how long to serve on when asked to stop",                             fallback: "10" },
];

export const command: Command = {
  name: "webhook",
  summary: "enforce policies in a cluster through admission webhooks",
  usage: "[flags]",
  about: `Watches the validating policies, bindings and params of a cluster and enforces them as an API server does in process: for clusters whose API
server lacks the feature or has it switched off. It writes its own webhook configuration, so that the cluster asks about what policies match and
nothing else, and keeps its certificates in a Secret unless they are given as files.

Several replicas share the work; one of them, by a Lease, writes. /healthz, /readyz and /metrics are served beside the reviews.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "in a pod", line: "celadon webhook --listen 0.0.0.0:9443" },
    {
      what: "from a workstation, for a cluster that can reach it",
      line: "celadon webhook --url https://192.168.1.5:9443 --listen 192.168.1.5:9443",
    },
    { what: "keep what was asked, to compare later", line: "celadon webhook --record reviews.jsonl" },
  ],
  run: webhook,
};

async function webhook(args: Args, io: Io): Promise<ExitCode> {
  const gates = gatesOf(args);
  const { host, port } = listenAddress(args.text("listen") ?? "127.0.0.1:9443");
  const api = await connect(args, io);
  const namespace = args.text("namespace") ?? api.connection.namespace;
  const name = args.text("name") ?? "celadon-webhook";
  const files = certificateFiles(args);
  const address = addressOf(args, namespace, name);
  const certificates =
    files === undefined ? { secret: `${name}-tls`, names: namesOf(address) } : await readCertificateFiles(files, io);
  const log = logTo(io);
  const record = args.text("record");
  const program = new WebhookProgram(api, {
    host,
    port,
    sources: sourcesOf(args),
    configuration: {
      name,
      address,
      ownNamespace: namespace,
      excludeNamespaces: args.list("exclude-namespace"),
      ...(args.text("escape-label") !== undefined && { escapeLabel: args.text("escape-label")! }),
      safeMode: args.on("safe-mode"),
      timeoutSeconds: args.number("timeout", { min: 1, max: 30 }) ?? 5,
    },
    certificates,
    lease: name,
    gates,
    deadlineMs: (args.number("timeout", { min: 1, max: 30 }) ?? 5) * 1000,
    events: args.on("events"),
    log,
    ...(record !== undefined && {
      record: (body: unknown) => appendFileSync(resolve(io.cwd, record), `${JSON.stringify(body)}\n`),
    }),
    drainMs: (args.number("drain", { min: 0, max: 600 }) ?? 10) * 1000,
  });
  io.catchSignals();
  const { url } = await program.start();
  log("info", `serving at ${url}`);
  if (files !== undefined && "certificate" in certificates) {
    watchCertificateFiles(files, certificates, io, (next) => program.replaceCertificates(next));
  }
  await untilStopped(io.signal);
  log("info", "stopping");
  await program.stop();
  api.close();
  return EXIT.ok;
}

function gatesOf(args: Args): Gates {
  const gates = parseGates(args.text("feature-gates") ?? "");
  if ("error" in gates && typeof gates.error === "string") throw new UsageError(gates.error);
  return gates as Gates;
}

function listenAddress(text: string): { readonly host: string; readonly port: number } {
  const found = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(found?.[3]);
  if (found === null || port > 65_535)
    throw new UsageError(`--listen "${text}" is no ADDRESS:PORT`, "such as 0.0.0.0:9443 or [::]:9443");
  return { host: found[1] ?? (found[2] || "127.0.0.1"), port };
}

type Address =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

function addressOf(args: Args, namespace: string, name: string): Address {
  const url = args.text("url");
  if (url !== undefined) {
    if (!/^https:\/\/[^/]+$/.test(url)) throw new UsageError(`--url "${url}" is no https://HOST:PORT`);
    return { url };
  }
  const [service = name, port = "443"] = (args.text("service") ?? name).split(":");
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`--service "${service}:${port}" is no NAME:PORT`);
  return { service: { namespace, name: service, port: Number(port) } };
}

/** What the API server calls this by. */
function namesOf(address: Address): readonly string[] {
  if ("url" in address) return [new URL(address.url).hostname.replace(/^\[|\]$/g, "")];
  const { name, namespace } = address.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}

function certificateFiles(
  args: Args,
): { readonly certificate: string; readonly key: string; readonly ca: string | undefined } | undefined {
  const [certificate, key] = [args.text("tls-cert"), args.text("tls-key")];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) throw new UsageError("--tls-cert and --tls-key go together");
  return { certificate, key, ca: args.text("tls-ca") };
}

function sourcesOf(args: Args): readonly { readonly group: PolicyGroup; readonly version: string }[] {
  const groups = args.list("group").length > 0 ? args.list("group") : ["admissionregistration.k8s.io"];
  return groups.map((group) =>
    group === OWN_GROUP
      ? { group: OWN_GROUP, version: "v1" }
      : { group: "admissionregistration.k8s.io", version: args.text("api-version") ?? "v1" },
  );
}
