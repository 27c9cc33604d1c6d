// `celadon approver`: approves and denies cert-manager's CertificateRequests by policy.

import { thrownText } from "@celadon/base";
import { Metrics } from "@celadon/base/metrics";
import { type Api, LeaderElection } from "@celadon/client";
import { CertificateApprover, PolicyWebhook } from "@celadon/cluster/approver";
import { Serving } from "@celadon/cluster/program";
import { listenAddress, listenError, reachedBy } from "../live-cluster/addresses.ts";
import { connect } from "../live-cluster/connect.ts";
import { type Log, logTo, untilStopped } from "../live-cluster/log.ts";
import { CLUSTER } from "../live-cluster/options.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  ...CLUSTER,
  { name: "namespace",    value: "NAME", help: "namespace of the Lease",                        fallback: "the context's" },
  { name: "lease",        value: "NAME", help: "Lease that elects the replica that decides", fallback: "policy.cert-manager.io" },
  { name: "metrics-port", value: "PORT", help: "port for /healthz, /readyz and /metrics",        fallback: "9402" },
  { name: "metrics-host", value: "ADDRESS", help: "address for that port; use 0.0.0.0 in a pod",  fallback: "127.0.0.1" },
  { name: "webhook-listen",  value: "ADDRESS:PORT", help: "also serve the validating webhook for policies at this address, and write its configuration" },
  { name: "webhook-service", value: "NAME[:PORT]",  help: "Service through which the API server reaches that webhook", fallback: "celadon-approver:443" },
  { name: "webhook-url",     value: "URL",          help: "URL at which the API server reaches that webhook, instead of a Service" },
  { name: "workers",      value: "N",    help: "number of requests to review at a time",            fallback: "1" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "approver",
  summary: "approve or deny cert-manager CertificateRequests by policy",
  usage: "[flags]",
  about: `Watches the CertificateRequests and CertificateRequestPolicies of a cluster and sets Approved or Denied on each request as
cert-manager's approver-policy does: by selectors, RBAC (verb use), allowed attributes, constraints and CEL rules. Each request is
decided once; after an error it is tried again. Disable cert-manager's own approver first.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "run in a pod", line: "celadon approver --metrics-host 0.0.0.0" },
    { what: "run on a workstation", line: "celadon approver --context staging --namespace cert-manager" },
  ],
  run: approver,
});

async function approver(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const port = args.number("metrics-port", { min: 0, max: 65_535 }) ?? 9402;
  const workers = args.number("workers", { min: 1, max: 64 }) ?? 1;
  const api = await connect(args, io);
  const log = logTo(io);
  const metrics = new Metrics();
  const program = new CertificateApprover(api, {
    metrics,
    workers,
    failed: (what, error) => log("warn", `${what}: ${thrownText(error)}`),
    decided: (request, { event }) => log("info", event.reason, { request, detail: event.message }),
  });
  const webhook = webhookOf(args, api, log);
  const lead = (leads: boolean): void => {
    program.lead(leads);
    webhook?.lead(leads);
  };
  const election = new LeaderElection(api, {
    namespace: args.text("namespace") ?? api.connection.namespace,
    name: args.text("lease") ?? "policy.cert-manager.io",
    started: () => lead(true),
    stopped: () => lead(false),
    failed: (error) => log("warn", `leader election: ${thrownText(error)}`),
  });
  const serving = new Serving({
    host: args.text("metrics-host") ?? "127.0.0.1",
    port,
    handler: ({ path }) => {
      if (path === "/metrics") {
        program.countRequests();
        return { status: 200, body: metrics.text() };
      }
      if (path === "/readyz" && !program.isSynced) return { status: 503, body: "not in sync\n" };
      return path === "/readyz" || path === "/healthz"
        ? { status: 200, body: "ok\n" }
        : { status: 404, body: "not found\n" };
    },
  });
  io.catchSignals();
  const begin = async (): Promise<void> => {
    const { url } = await serving.listen();
    log("info", `metrics at ${url}/metrics`);
    program.start();
    if (webhook !== undefined) log("info", `validating policies at ${(await webhook.start()).url}`);
    await program.synced();
    election.start();
    io.hasStarted();
    await untilStopped(io.signal);
  };
  await Promise.race([begin(), untilStopped(io.signal)]).catch((error) => {
    throw listenError(error);
  });
  io.endInOrder();
  log("info", "stopping");
  await election.stop();
  await program.stop();
  await webhook?.stop(DRAIN_MS);
  await serving.close();
  api.close();
  return EXIT.ok;
}

/** The time for which the webhook continues to serve after a request to stop. */
const DRAIN_MS = 5000;

function webhookOf(args: ArgsOf<typeof OPTIONS>, api: Api, log: Log): PolicyWebhook | undefined {
  const listen = args.text("webhook-listen");
  if (listen === undefined) return undefined;
  return new PolicyWebhook(api, {
    ...listenAddress("webhook-listen", listen),
    name: "celadon-approver",
    namespace: args.text("namespace") ?? api.connection.namespace,
    address: reachedBy(args, { url: "webhook-url", service: "webhook-service", fallback: "celadon-approver" }),
    failed: (what, error) => log("warn", `${what}: ${thrownText(error)}`),
  });
}
