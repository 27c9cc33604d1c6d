// `celadon approver`: approves and denies cert-manager's CertificateRequests by policy.

import { LeaderElection } from "@celadon/client";
import { CertificateApprover } from "@celadon/cluster/approver";
import { Metrics, Serving } from "@celadon/cluster/program";
import { CLUSTER, connect } from "../cluster/connect.ts";
import { logTo, untilStopped } from "../cluster/log.ts";
import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import type { Io } from "../io.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  ...CLUSTER,
  { name: "namespace",    value: "NAME", help: "namespace of the Lease",                        fallback: "the context's" },
  { name: "lease",        value: "NAME", help: "Lease by which one of several replicas decides", fallback: "policy.cert-manager.io" },
  { name: "metrics-port", value: "PORT", help: "port of /healthz, /readyz and /metrics",        fallback: "9402" },
  { name: "metrics-host", value: "ADDRESS", help: "address of that port; a pod gives 0.0.0.0",  fallback: "127.0.0.1" },
  { name: "workers",      value: "N",    help: "requests that are reviewed at once",            fallback: "1" },
];

export const command: Command = {
  name: "approver",
  summary: "approve cert-manager's CertificateRequests by policy",
  usage: "[flags]",
  about: `Watches the CertificateRequests and CertificateRequestPolicies of a cluster and sets Approved or Denied on each request, as cert-manager's
approver-policy does: selectors, RBAC (verb use), allowed attributes, constraints and CEL rules. A request is decided once; an error decides
nothing and is tried again. cert-manager's own approver has to be switched off.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "in a pod", line: "celadon approver --metrics-host 0.0.0.0" },
    { what: "from a workstation", line: "celadon approver --context staging --namespace cert-manager" },
  ],
  run: approver,
};

async function approver(args: Args, io: Io): Promise<ExitCode> {
  const port = args.number("metrics-port", { min: 0, max: 65_535 }) ?? 9402;
  const workers = args.number("workers", { min: 1, max: 64 }) ?? 1;
  const api = await connect(args, io);
  const log = logTo(io);
  const metrics = new Metrics();
  const program = new CertificateApprover(api, {
    metrics,
    workers,
    failed: (what, error) => log("warn", `${what}: ${error instanceof Error ? error.message : String(error)}`),
    decided: (request, { event }) => log("info", event.reason, { request, message: event.message }),
  });
  const election = new LeaderElection(api, {
    namespace: args.text("namespace") ?? api.connection.namespace,
    name: args.text("lease") ?? "policy.cert-manager.io",
    started: () => program.lead(true),
    stopped: () => program.lead(false),
    failed: (error) => log("warn", `leader election: ${error instanceof Error ? error.message : String(error)}`),
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
  const { url } = await serving.listen();
  log("info", `metrics at ${url}/metrics`);
  program.start();
  await Promise.race([program.synced(), untilStopped(io.signal)]);
  election.start();
  await untilStopped(io.signal);
  log("info", "stopping");
  await election.stop();
  await program.stop();
  await serving.close();
  api.close();
  return EXIT.ok;
}
