// JSON bodies of custom resources as plain data: integers of any size kept, `1.0` no integer, members named twice counted once and reported.

import { Double } from "@celadon/cel";
import { type JsonBody, RawNumber, RepeatedMembers, readJsonBody } from "@celadon/kube/read";

export interface PlainBody {
  readonly value: unknown;
  /** Paths of members that were named more than once; the last one counts. No more than Go's decoder reports. */
  readonly duplicates: readonly string[];
}

const MAX_DUPLICATES = 100;

/** The value, or the complaint of Go's decoder. */
export function readPlain(text: string): PlainBody | { readonly error: string } {
  const body: JsonBody = readJsonBody(text);
  if (body.error !== undefined) return { error: body.error };
  const duplicates = new Set<string>();
  try {
    return { value: plain(body.value, "", duplicates), duplicates: [...duplicates] };
  } catch (failure) {
    if (failure instanceof OutOfRange) return { error: failure.message };
    throw failure;
  }
}

/** A number that is too large for a double, which Go's decoder does not take. */
class OutOfRange extends Error {}

function numberOf({ value, text }: RawNumber): unknown {
  if (Number.isSafeInteger(value)) return new Double(value);
  if (Number.isFinite(value)) return value;
  throw new OutOfRange(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

function plain(value: unknown, path: string, duplicates: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof RawNumber) return numberOf(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === "object" && item !== null) value[i] = plain(item, `${path}[${i}]`, duplicates);
    }
    return value;
  }
  if (value instanceof RepeatedMembers) return once(value, path, duplicates);
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === "object" && member !== null) members[key] = plain(member, child(path, key), duplicates);
  }
  return value;
}

function once({ entries }: RepeatedMembers, path: string, duplicates: Set<string>): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [key, member] of entries) {
    const here = child(path, key);
    if (members.has(key) && duplicates.size < MAX_DUPLICATES) duplicates.add(here);
    members.set(key, plain(member, here, duplicates));
  }
  return Object.fromEntries(members);
}

const child = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
