// A request's way through `@celadon/write`: the server as its host, and refusals as the answer.

import type { KubeObject } from "@celadon/kube";
import { type AdmissionContext, Refused, WritePath } from "@celadon/write";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import type { Services } from "./services.ts";

/** The time that a request may take. */
const REQUEST_SECONDS = 34;

/** The path of a request. `options` are the request's options as admission sees them. */
export function writePath(
  { writes }: Services,
  exchange: Exchange,
  options: KubeObject | null,
  dryRun: boolean,
): WritePath {
  const { resource, subresource, namespace, name, user } = exchange;
  const request = { resource, subresource, namespace, name, user, options, dryRun };
  return new WritePath(writes, request, contextOf(exchange));
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
