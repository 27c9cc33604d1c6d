// JSON text as Go's encoding/json reads it into a type and writes it again. Names of fields match in any case, null leaves a field as it
// is, a repeated member is read over the earlier one, and one value of the wrong type spoils the whole.

import { compareStrings } from "@celadon/base";
import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { readJsonBody } from "../read/json/json-body.ts";
import { RepeatedMembers } from "../read/json/raw-json.ts";
import { readTime } from "../types/go-time.ts";
import { isMembers, isNumber, numberText } from "../types/json-type.ts";

/** Values are as they are written: undefined is left out. */
export interface GoType<T> {
  readonly zero: T;
  /** Reads the value over an existing one. */
  read(value: unknown, over: T): T;
}

class WrongType extends Error {}

/** Undefined where the text is no such value. */
export function unmarshal<T>(type: GoType<T>, text: string): T | undefined {
  const body = readJsonBody(text);
  if (body.error !== undefined) return undefined;
  try {
    return type.read(body.value, type.zero);
  } catch (error) {
    if (error instanceof WrongType) return undefined;
    throw error;
  }
}

/** A value with its fields in order and default values for missing ones, with the escapes of encoding/json for HTML. */
export function marshal<T>(type: GoType<T>, value: unknown): string {
  return JSON.stringify(type.read(value, type.zero)).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export const text: GoType<string> = {
  zero: "",
  read(value, over) {
    if (value === null) return over;
    if (typeof value !== "string") throw new WrongType();
    return value;
  },
};

export const int32: GoType<number> = {
  zero: 0,
  read(value, over) {
    if (value === null) return over;
    if (typeof value !== "number" || (value | 0) !== value) throw new WrongType();
    return value;
  },
};

export const quantity: GoType<string> = {
  zero: "0",
  read(value) {
    if (value === null) return "0";
    const parsed = parseQuantity(typeof value === "string" ? value : isNumber(value) ? numberText(value) : "");
    if (isInvalid(parsed)) throw new WrongType();
    return parsed.toString();
  },
};

/** Null is the zero time. */
export const time: GoType<string | null> = {
  zero: null,
  read(value) {
    if (value === null) return null;
    const read = typeof value === "string" ? readTime(value) : undefined;
    if (read === undefined || "error" in read) throw new WrongType();
    return read.text;
  },
};

/** A pointer; nil is left out. */
export function pointer<T>(to: GoType<T>): GoType<T | undefined> {
  return { zero: undefined, read: (value, over) => (value === null ? undefined : to.read(value, over ?? to.zero)) };
}

/** Writes a value that may be nil as null. */
export function nullable<T>(to: GoType<T>): GoType<T | null> {
  return { zero: null, read: (value, over) => (value === null ? null : to.read(value, over ?? to.zero)) };
}

export function list<T>(of: GoType<T>): GoType<readonly T[]> {
  return {
    zero: [],
    read(value, over) {
      if (value === null) return [];
      if (!Array.isArray(value)) throw new WrongType();
      return value.map((element, i) => of.read(element, over[i] ?? of.zero));
    },
  };
}

export const texts: GoType<Readonly<Record<string, string>>> = {
  zero: {},
  read(value, over) {
    if (value === null) return {};
    const entries = Object.entries(over);
    for (const [key, member] of membersOf(value)) entries.push([key, text.read(member, "")]);
    entries.sort(([a], [b]) => compareStrings(a, b));
    return Object.fromEntries(entries);
  },
};

/** A field that is left out when it is empty. */
export function omitempty<T>(of: GoType<T>): GoType<T | undefined> {
  return {
    zero: undefined,
    read(value, over) {
      const read = of.read(value, over ?? of.zero);
      const isEmpty = read === "" || (typeof read === "object" && read !== null && Object.keys(read).length === 0);
      return isEmpty ? undefined : read;
    },
  };
}

/** Fields in the order they are written. */
export function struct<T extends object>(fields: { readonly [K in keyof T]: GoType<T[K]> }): GoType<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
  return {
    zero: Object.fromEntries(names.map((name) => [name, fields[name].zero])) as T,
    read(value, over) {
      if (value === null) return over;
      const read: T = { ...over };
      for (const [given, member] of membersOf(value)) {
        const name = byName.get(given.toLowerCase());
        if (name !== undefined && member !== undefined) read[name] = fields[name].read(member, read[name]);
      }
      return read;
    },
  };
}

function membersOf(value: unknown): Iterable<readonly [string, unknown]> {
  if (value instanceof RepeatedMembers) return value.entries;
  if (!isMembers(value)) throw new WrongType();
  return Object.entries(value);
}
