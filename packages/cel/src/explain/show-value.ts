// A value as one readable line: JSON where JSON can express it, cut if it is long. Only the part that is shown is read,
// so the cost does not depend on the size.

import { isMap } from "../value/box.ts";
import { mapFind, mapKeys } from "../value/collection/any-map.ts";
import { listIterate } from "../value/collection/list.ts";
import { isError } from "../value/error.ts";
import { formatValue } from "../value/text/format-go.ts";
import { toJson } from "../value/to-json.ts";
import { ListValue, MapValue, type Value } from "../value/value.ts";

const SHOWN = 240;
const DEPTH = 16;

/** A value in one short line, as an expression would write it. */
export function showValue(value: Value): string {
  try {
    const text = write(value, SHOWN, 0);
    return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
  } catch {
    // Values of hosts may do as they like.
    return "(a value that cannot be shown)";
  }
}

/** At least as much of the text as there is room for. */
function write(value: Value, room: number, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room + 1));
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(toJson(value));
  if (depth > DEPTH) return "…";
  if (Array.isArray(value) || value instanceof ListValue) {
    return join("[", "]", listIterate(value), room, (item, left) =>
      isError(item) ? item.message : write(item, left, depth + 1),
    );
  }
  if (value instanceof MapValue && "toJSON" in value) return writeOwnForm(value, room, depth);
  if (isMap(value)) {
    return join("{", "}", mapKeys(value), room, (key, left) => {
      const found = mapFind(value, key);
      const name = typeof key === "string" ? JSON.stringify(key) : formatValue(key);
      return `${name}: ${isError(found) ? found.message : write(found, left, depth + 1)}`;
    });
  }
  const json = toJson(value);
  return typeof json === "string" ? json : write(json, room, depth + 1);
}

/** A host's map may choose its own form, because reading it may have effects. */
function writeOwnForm(value: MapValue, room: number, depth: number): string {
  const { toJSON } = value as MapValue & { toJSON?: unknown };
  return typeof toJSON === "function" ? write(toJSON.call(value), room, depth + 1) : "{}";
}

function join<T>(
  open: string,
  close: string,
  items: Iterable<T>,
  room: number,
  text: (item: T, left: number) => string,
): string {
  let written = open;
  for (const item of items) {
    if (written.length > room) return written;
    written += (written === open ? "" : ", ") + text(item, room - written.length);
  }
  return written + close;
}
