// The certificate approver as a process that starts without leader election, so that two can run at once and one can be killed while it writes.

import { Metrics } from "@celadon/base/metrics";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import { CertificateApprover } from "@celadon/cluster/approver";

// Exits when its parent exits, even during start-up.
process.on("disconnect", () => process.exit(1));

const [path = ""] = process.argv.slice(2);
const approver = new CertificateApprover(new Api(await connectionFromKubeconfig({ path })), {
  metrics: new Metrics(),
  workers: 4,
});
approver.start();
await approver.synced();
process.send?.("ready");
approver.lead(true);
