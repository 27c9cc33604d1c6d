// The number of seats of a request: lists of many bytes take more than one, everything else one. Upstream: apiserver
// pkg/util/flowcontrol/request, which estimates writes by their watchers too.

import { isTrue, type RequestInfo } from "../wire/request-info.ts";

const BYTES_PER_SEAT = 100_000;
/** Lists are written out of the cache piece by piece. */
const MOST_BYTES = 1_000_000;

/** Objects of a resource, and their bytes. */
export interface StoredAmount {
  readonly count: number;
  readonly bytes: number;
}

export function widthOf(
  info: RequestInfo,
  query: URLSearchParams,
  amountOf: (info: RequestInfo) => StoredAmount | undefined,
): number {
  const sendsObjects = info.verb === "list" || (info.verb === "watch" && beginsWithObjects(query));
  if (!sendsObjects || info.name !== "") return 1;
  const amount = amountOf(info);
  if (amount === undefined || amount.count === 0) return 1;
  const limit = query.size === 0 ? 0 : Number(query.get("limit") ?? 0);
  const count = limit > 0 ? Math.min(limit, amount.count) : amount.count;
  const bytes = Math.min(MOST_BYTES, (count * amount.bytes) / amount.count);
  return Math.max(1, Math.ceil(bytes / BYTES_PER_SEAT));
}

function beginsWithObjects(query: URLSearchParams): boolean {
  const initial = query.get("sendInitialEvents");
  if (initial !== null) return isTrue(initial);
  const version = query.get("resourceVersion") ?? "";
  return version === "" || version === "0";
}
