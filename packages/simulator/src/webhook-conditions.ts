// Match conditions of webhooks with the values of their parts: evaluated once more, with a recorder.

import { ExplainingObserver, type OwnedExpression } from "@celadon/admission/explain";
import { selectWebhooks } from "@celadon/admission/webhook";
import type { Outcome } from "./outcome/outcome.ts";
import type { SimulatedCluster } from "./simulated/simulated-cluster.ts";

/** Mutating webhooks see the object as it was received, validating ones as it is stored. */
export async function webhookConditions(
  simulated: SimulatedCluster,
  { request, received }: Pick<Outcome, "request" | "received">,
): Promise<readonly OwnedExpression[]> {
  const observer = new ExplainingObserver();
  const { mutating, validating } = simulated.webhooks;
  await selectWebhooks({ ...request, object: received }, mutating, simulated.hosts, { observer });
  await selectWebhooks(request, validating, simulated.hosts, { observer });
  return observer.finished;
}
