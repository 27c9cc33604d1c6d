// The certificate approver as a process that leads from the first moment, so that it can be killed while it writes. Leases would only make
// two of them at once rarer.

import { Metrics } from "@celadon/base/metrics";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import { CertificateApprover } from "@celadon/cluster/approver";

// Never without its parent, also while it starts.
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
