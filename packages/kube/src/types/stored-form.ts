// The rest of an object that was stored as protobuf and read again. Protobuf does not tell an empty list or map from none, so one that is
// always written comes back as null; bytes of a map come back empty where there were none.

import { isRecord } from "@celadon/base";
import type { Minor } from "../versions.ts";
import { type GoField, type GoStruct, typeOfKind, type ValueType } from "./table.ts";

/** The value as it is read again; the same value where nothing is lost. */
type ReadAgain = (value: unknown) => unknown;

/** For objects of a built-in kind; others stay as they are. The input is not modified. */
export function storedForm(apiVersion: string, kind: string, minor?: Minor): <T extends object>(object: T) => T {
  const type = typeOfKind(apiVersion, kind, minor);
  const again = type && ofStruct(type, []);
  return (object) => (again === undefined ? object : (again(object) as typeof object));
}

/** Undefined for types that lose nothing. A type within itself is not followed. */
function ofStruct(type: GoStruct, within: readonly GoStruct[]): ReadAgain | undefined {
  if (within.includes(type)) return undefined;
  const fields = type.fields.flatMap((field) => {
    const again = ofField(field, [...within, type]);
    return again === undefined ? [] : [[field.name, again] as const];
  });
  if (fields.length === 0) return undefined;
  return (struct) => {
    if (!isRecord(struct)) return struct;
    let copy: Record<string, unknown> | undefined;
    for (const [name, again] of fields) {
      const given = struct[name];
      if (given === undefined || given === null) continue;
      const read = again(given);
      if (read !== given) (copy ??= { ...struct })[name] = read;
    }
    return copy ?? struct;
  };
}

function ofField({ type, always }: GoField, within: readonly GoStruct[]): ReadAgain | undefined {
  const inner = ofValue(type, within);
  if (!always || (type.code !== "list" && type.code !== "map")) return inner;
  return (value) => (isEmpty(value) ? null : (inner?.(value) ?? value));
}

function ofValue({ code, of, struct }: ValueType, within: readonly GoStruct[]): ReadAgain | undefined {
  if (code === "struct") return ofStruct(struct!(), within);
  if (code !== "list" && code !== "map") return undefined;
  const inner: ReadAgain | undefined = of!.code === "bytes" ? (bytes) => bytes ?? "" : ofValue(of!, within);
  if (inner === undefined) return undefined;
  return code === "list" ? (list) => eachOf(list, inner) : (map) => membersOf(map, inner);
}

function eachOf(list: unknown, inner: ReadAgain): unknown {
  if (!Array.isArray(list)) return list;
  const read = list.map(inner);
  return read.some((element, i) => element !== list[i]) ? read : list;
}

function membersOf(map: unknown, inner: ReadAgain): unknown {
  if (!isRecord(map)) return map;
  const entries = Object.entries(map).map(([key, value]) => [key, inner(value)] as const);
  return entries.some(([key, value]) => value !== map[key]) ? Object.fromEntries(entries) : map;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}
