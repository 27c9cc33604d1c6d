// One replica of the webhook as a process. Its arguments say where the cluster is, where to listen, and how the API server reaches it.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import { OWN_GROUP, WebhookProgram } from "@celadon/cluster/webhook";

/** Shifts every clock of the process except the monotonic one. */
const RealDate = Date;
let ahead = 0;
function setClock(ms: number): void {
  ahead = ms;
}
globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    super(...(given.length === 0 ? ([RealDate.now() + ahead] as unknown as []) : given));
  }
  static override now(): number {
    return RealDate.now() + ahead;
  }
} as DateConstructor;

// Exits when its parent exits, even during start-up.
process.on("disconnect", () => process.exit(1));

const [path = "", port = "0", address = ""] = process.argv.slice(2);
const api = new Api(await connectionFromKubeconfig({ path }));
const program = new WebhookProgram(api, {
  host: "127.0.0.1",
  port: Number(port),
  groups: [OWN_GROUP],
  configuration: {
    name: "celadon-webhook",
    address: { url: address },
    ownNamespace: "kube-public",
    excludeNamespaces: [],
    safeMode: false,
    timeoutSeconds: 10,
  },
  certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
  lease: "celadon-webhook",
  log: () => {},
  drainMs: 2_000,
});
await program.start();
process.send?.("ready");
/** The time for which the event loop was blocked: a request that arrives meanwhile waits. */
const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();
/** The most CPU time used between two timers; wall time would include waiting for a processor on a busy machine. */
let mostCpuMs = 0;
let cpuMs = cpuTime();
setInterval(() => {
  const now = cpuTime();
  mostCpuMs = Math.max(mostCpuMs, now - cpuMs);
  cpuMs = now;
}, 10).unref();

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on("message", (message: { readonly clockMs?: number; readonly usage?: boolean; readonly loop?: boolean }) => {
  if (message.clockMs !== undefined) setClock(message.clockMs);
  if (message.loop === true) {
    process.send?.({ longestMs: loop.max / 1e6, mostCpuMs, cpuMs: cpuTime() });
    loop.reset();
    mostCpuMs = 0;
  }
  if (message.usage === true) {
    (globalThis as { gc?: () => void }).gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapMb: heapUsed / 1e6, rssMb: rss / 1e6, cpuMs: cpuTime() });
  }
});
process.once("SIGTERM", () => void program.stop().then(() => process.exit(0)));
