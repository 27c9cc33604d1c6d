// Values of served types as the internal types have them: some fields stand elsewhere there.

import type { Emulation } from "../../emulation.ts";
import { copyEmpty } from "../../types/empty-fields.ts";
import { typeName } from "./internal-table.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Since then the internal pod has the fields that it shares with its host as its own, as the served one does. */
const HOST_FIELDS_SINCE = 37;

/** Fields that are elsewhere in the served type. */
export function asInternal(line: number, value: Members, by: Emulation): Members {
  if (typeName(line) !== "core.PodSpec" || by.since(HOST_FIELDS_SINCE)) return value;
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = value;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  if (securityContext == null && Object.values(host).every((item) => item === undefined)) return value;
  const context = (securityContext ?? {}) as Members;
  return copyEmpty(value, { ...value, securityContext: copyEmpty(context, { ...context, ...host }) });
}
