// Requests that take as long as one with a large body although their own is small: they change a large object, or show large ones in another form
// than the store's.

import type { ObjectTable } from "../store/object-table.ts";
import type { Call } from "../wire/call.ts";
import type { RequestInfo } from "../wire/request-info.ts";

/** An object is large from the same size on as a body. */
export const LARGE_BYTES: number = 32 * 1024;
/** Lists are shown more often than objects are changed, and a list in another form takes less per byte than a write. */
const LARGE_LIST_BYTES = 4 * 1024 * 1024;
/** The thread has a copy of the objects it lists. A larger copy would take too long to make. */
const COPIED_BYTES = 256 * 1024 * 1024;

/** The place of a request's objects. */
export interface Stored {
  readonly table: ObjectTable;
  /** The key of the object that the request names. */
  readonly key: string;
}

export function isLargeWork(info: RequestInfo, call: Call, stored: () => Stored | undefined): boolean {
  switch (info.verb) {
    case "update":
    case "patch":
    case "delete":
      return isLargeObject(info, stored);
    case "get":
      return !isAsStored(call) && isLargeObject(info, stored);
    case "list":
      return isLargeList(info, call, stored);
    default:
      return false;
  }
}

function isLargeList(info: RequestInfo, call: Call, stored: () => Stored | undefined): boolean {
  const isSelected = info.selectors.fields !== undefined;
  if (isAsStored(call) && !isSelected) return false;
  const table = stored()?.table;
  if (table === undefined || table.bytes > COPIED_BYTES) return false;
  // A selection by fields reads every object, with any limit.
  const [, limit] = isSelected ? [] : (LIMIT.exec(call.query) ?? []);
  const part = limit === undefined || limit === "0" ? 1 : Math.min(1, Number(limit) / table.size);
  return table.bytes * part >= LARGE_LIST_BYTES;
}

const LIMIT = /(?:^|&)limit=(\d+)/;

function isLargeObject({ name }: RequestInfo, stored: () => Stored | undefined): boolean {
  if (name === "") return false;
  const { table, key } = stored() ?? {};
  return key !== undefined && (table?.get(key)?.json.length ?? 0) >= LARGE_BYTES;
}

/** JSON is sent as it is stored. */
function isAsStored(call: Call): boolean {
  const accept = call.header("accept");
  return accept === undefined || !OTHER_FORM.test(accept);
}

const OTHER_FORM = /as=|protobuf|yaml/;

/** Whether a JSON patch may copy: a few copies of copies make megabytes. An escape may stand for any letter. */
export function mayCopy(patch: Uint8Array): boolean {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength);
  return text.includes("copy") || text.includes("\\u");
}

export function isJsonPatch(call: Call): boolean {
  return call.method === "PATCH" && (call.header("content-type") ?? "").toLowerCase().includes("json-patch");
}
