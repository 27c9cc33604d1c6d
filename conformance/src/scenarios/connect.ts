// Connecting to a pod: admission runs on the options, then a kubelet would be called. There is none.

import { badRequest, notFound } from "@celadon/kube/status";
import { admit, type Notes } from "./admission.ts";
import { type Answer, type Call, failed, isStatus, type Place } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import type { User } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { writeOf } from "./write.ts";

export async function connect(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  const write = writeOf(cluster, kind, "CONNECT", place, user, call);
  const notes: Notes = { warnings: [], auditAnnotations: {} };
  const admitted = await admit({ ...write, dryRun: false, object: optionsObject(kind, call) }, notes);
  if (isStatus(admitted)) return failed(admitted, notes);
  if (cluster.get(kind, place.namespace, place.name) === undefined) return failed(notFound(kind, place.name), notes);
  return failed(badRequest(`pod ${place.name} does not have a host assigned`), notes);
}

// Query parameters as PodExecOptions and its kin decode them.
export function optionsObject(kind: Kind, call: Call): JsonObject {
  const gvk = kind.subresources[call.subresource ?? ""]!;
  const query = call.query ?? {};
  const flags = ["stdin", "stdout", "stderr", "tty"].filter((flag) => query[flag] !== undefined && isTrue(query[flag]));
  return {
    kind: gvk.kind,
    apiVersion: gvk.version,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...(typeof query.container === "string" ? { container: query.container } : {}),
    ...(query.command === undefined
      ? {}
      : { command: Array.isArray(query.command) ? query.command : [String(query.command)] }),
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "1" || value === 1;
}
