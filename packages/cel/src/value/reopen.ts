// The reference opens an optional that a variable, a loop's element or a ternary's branch leads to, and closes it again. In between, the
// content is a value of its host language, and some values do not come back from there. Types become their names, optionals inside
// optionals vanish, views of typed data become the data, and a library's value becomes an error, which only shows when the optional's value
// is read. A list stays as it is, unless `+` made it: then each of its elements goes that way.

import { ConcatList } from "./collection/concat-list.ts";
import { CelError } from "./error.ts";
import { Type } from "./type.ts";
import { ListValue, MapValue, Opaque, Optional, type Value } from "./value.ts";

/** An optional after it has been opened and closed; all else as it is. */
export function reopen(value: Value): Value {
  if (!(value instanceof Optional) || !value.hasValue) return value;
  const inside = throughHost(value.value);
  return inside === value.value ? value : Optional.of(inside);
}

/** Converts a value to the reference's host language and back. */
export function throughHost(value: Value): Value | CelError {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (value instanceof Optional) return value.hasValue ? throughHost(value.value) : null;
  if (value instanceof Opaque) return value.throughHost();
  if (value instanceof Type) return value.name;
  if (value instanceof ConcatList) return new HostList(value);
  if (value instanceof MapValue || value instanceof ListValue) return value.data === undefined ? value : value.data;
  return value instanceof CelError ? notFromHost("*errors.errorString", value.message) : value;
}

/** Elements that become CEL values again when they are read. */
class HostList extends ListValue {
  readonly #list: ConcatList;
  constructor(list: ConcatList) {
    super();
    this.#list = list;
  }
  override get size(): number {
    return this.#list.size;
  }
  override get(index: number): Value | CelError {
    return throughHost(this.#list.get(index));
  }
}

/** A Go value that the reference makes no CEL value of, by its type and as Go prints it. */
export function notFromHost(goType: string, text: string): CelError {
  return new CelError("conversion", `unsupported conversion to ref.Val: (${goType})${text}`);
}
