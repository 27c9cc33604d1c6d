// Converts results for a host that states their type: plain numbers for doubles and uints, arrays for lists, plain objects for maps of
// string keys and `Map` for others. Without a stated type values stay as the engine has them (value/value.ts). If the checker does not know
// the type, the whole value is checked, so that it has the type that TypeScript promises.

import { fits } from "../call/dispatch.ts";
import { coerce } from "../types/access.ts";
import { isSameType } from "../types/compare-types.ts";
import { bareDouble, isDouble, isList, isMap } from "../value/box.ts";
import { type AnyMap, mapFind, mapKeys } from "../value/collection/any-map.ts";
import { type List, listIterate } from "../value/collection/list.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { formatType, type Type } from "../value/type.ts";
import { typeOf } from "../value/type-of.ts";
import { Uint, type Value } from "../value/value.ts";

export type Conversion = (value: Value) => Value | CelError;

/** From values of the type the checker found to what `stated` promises; undefined when they are that already. */
export function conversionTo(stated: Type, found: Type): Conversion | undefined {
  if (isAnything(stated)) return undefined;
  if (stated.kind === found.kind && isSameType(stated, found) && !isConverted(stated)) return undefined;
  return (value) => toHost(stated, value);
}

const isAnything = ({ kind }: Type): boolean => kind === "dyn" || kind === "any" || kind === "param";

/** Kinds whose values the host gets in another form, or whose contents are unread data. */
function isConverted({ kind }: Type): boolean {
  return kind === "double" || kind === "uint" || kind === "wrapper" || kind === "list" || kind === "map";
}

function toHost(type: Type, raw: Value): Value | CelError {
  const value = coerce(type, raw);
  if (isError(value) || isAnything(type)) return value;
  switch (type.kind) {
    case "double":
      return isDouble(value) ? bareDouble(value) : mismatch(type, value);
    case "uint":
      return value instanceof Uint ? value.value : mismatch(type, value);
    case "wrapper":
      return value === null ? null : toHost(type.params[0]!, value);
    case "list":
      return isList(value) ? toArray(type.params[0]!, value) : mismatch(type, value);
    case "map":
      return isMap(value) ? toEntries(type, value) : mismatch(type, value);
    default:
      return fits(type, value) ? value : mismatch(type, value);
  }
}

function toArray(type: Type, list: List): readonly Value[] | CelError {
  const items: Value[] = [];
  for (const raw of listIterate(list)) {
    const item = isError(raw) ? raw : toHost(type, raw);
    if (isError(item)) return item;
    items.push(item);
  }
  return items;
}

function toEntries({ params }: Type, map: AnyMap): Value | CelError {
  const [keyType, valueType] = params as [Type, Type];
  const entries: [Value, Value][] = [];
  for (const rawKey of mapKeys(map)) {
    const key = toHost(keyType, rawKey);
    if (isError(key)) return key;
    const value = toHost(valueType, mapFind(map, rawKey));
    if (isError(value)) return value;
    entries.push([key, value]);
  }
  return keyType.kind === "string" ? Object.fromEntries(entries as [string, Value][]) : new Map(entries);
}

function mismatch(stated: Type, value: Value): CelError {
  return celError("conversion", `expected type '${formatType(stated)}' but found '${formatType(typeOf(value))}'`);
}
