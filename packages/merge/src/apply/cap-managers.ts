// No more than ten managers that update: the oldest are put together, one bucket per version. Upstream: apimachinery
// pkg/util/managedfields/internal/capmanagers.go.

import { compareStrings } from "@celadon/base";
import { identifierOf, type Manager, type Managers, secondsOf } from "./managed-fields.ts";

const MAX_UPDATERS = 10;
const BUCKET = "ancient-changes";

export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  let excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return managers;
  updaters.sort(([a, x], [b, y]) => secondsOf(x.time) - secondsOf(y.time) || compareStrings(a, b));
  const result = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  for (const [id, manager] of updaters) {
    if (excess <= 0) break;
    const { apiVersion, set, time } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    const info = { manager: BUCKET, operation: "Update", apiVersion, subresource: "" } as const;
    const bucket = identifierOf(info);
    let held: Manager | undefined = result.get(bucket);
    if (held === undefined) {
      held = result.get(first)!;
      result.delete(first);
    }
    result.delete(id);
    result.set(bucket, { ...info, set: set.union(held.set), time });
    excess--;
  }
  return result;
}
