// The webhook as a process of its own, which gets the place of its cluster from its parent, and reports its start and its usage.

import { Api, connectionFromKubeconfig } from "@celadon/client";
import { OWN_GROUP, WebhookProgram } from "@celadon/cluster/webhook";

const [path = "", port = "0"] = process.argv.slice(2);
const api = new Api(await connectionFromKubeconfig({ path }));
const program = new WebhookProgram(api, {
  host: "127.0.0.1",
  port: Number(port),
  groups: [OWN_GROUP],
  configuration: {
    name: "celadon-webhook",
    address: { url: `https://127.0.0.1:${port}` },
    ownNamespace: "kube-public",
    excludeNamespaces: [],
    safeMode: false,
    timeoutSeconds: 10,
  },
  certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
  lease: "celadon-webhook",
  log: () => {},
});
const started = performance.now();
await program.start();
process.send?.({ readyMs: performance.now() - started, cpuMs: cpuTime() });

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on("message", () => {
  process.send?.({ cpuMs: cpuTime(), memoryMb: process.memoryUsage.rss() / 1e6 });
});
// Never without its parent.
process.on("disconnect", () => process.exit(1));
