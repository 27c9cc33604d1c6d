// A request's way through `@celadon/write`: what the path needs from the server, and refusals as the answer.

import type { KubeObject } from "@celadon/kube";
import { type ActionTarget, loadActionRules } from "@celadon/kube/validation";
import { type AdmissionContext, type Draft, objectOf, Refused, WritePath } from "@celadon/write";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import type { Services } from "./services.ts";

/** The time that a request may take. */
const REQUEST_SECONDS = 34;

/** The path of a request. `options` are those of the request as admission sees them. */
export function writePath(
  { writes }: Services,
  exchange: Exchange,
  options: KubeObject | null,
  dryRun: boolean,
): WritePath {
  return new WritePath(writes, { ...exchange, options, dryRun }, contextOf(exchange));
}

function contextOf({ notes, user, call }: Exchange): AdmissionContext {
  const started = performance.now();
  return {
    notes,
    user,
    get signal() {
      return call.signal;
    },
    remainingSeconds: () => REQUEST_SECONDS - (performance.now() - started) / 1000,
  };
}

/** The result of a step; a refusal ends the request. */
export function accepted<T>(result: T | Refused): T {
  if (result instanceof Refused) throw new StatusError(result.status);
  return result;
}

/** Ends the request if the rules of an action, such as a review or a Binding, refuse it. */
export async function refuseAction(
  kind: Parameters<typeof loadActionRules>[0],
  draft: Draft,
  target: ActionTarget,
): Promise<void> {
  const rules = await loadActionRules(kind);
  const refusal = rules?.refuse(objectOf(draft), target);
  if (refusal !== undefined) throw new StatusError(refusal);
}
