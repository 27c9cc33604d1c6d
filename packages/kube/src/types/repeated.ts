// Members that a body names more than once. Go's decoder reads each over the earlier value: the last scalar counts, structs are filled
// further, a map gains keys, the elements of a list keep fields that the later list does not mention, and null empties only nillable
// values.

import { Double, pushAll } from "@celadon/base";
import { RepeatedMembers } from "../read/json/raw-json.ts";
import type { GoField, ValueType } from "./table.ts";

type Json = Record<string, unknown>;

/** Objects to be read one over the other. */
export class Layers {
  readonly layers: object[];

  constructor(layers: object[]) {
    this.layers = layers;
  }
}

/** The members as if each were written once. Without fields it is a map, where the last one counts. */
export function membersOf(
  given: object,
  fieldOf: (name: string) => GoField | undefined,
  onDuplicate: (name: string) => void,
): Json {
  const members = new Map<string, unknown>();
  const layers = given instanceof Layers ? given.layers : [given];
  for (const layer of layers) {
    const seen = new Set<string>();
    for (const [name, value] of entriesOf(layer)) {
      const field = fieldOf(name);
      if (seen.has(name)) onDuplicate(name);
      seen.add(name);
      members.set(
        name,
        field !== undefined && members.has(name) ? combine(field.type, field.pointer, members.get(name), value) : value,
      );
    }
  }
  return Object.fromEntries(members);
}

/** The places of members, by name. */
export function placesOf(given: object): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  let at = 0;
  for (const layer of given instanceof Layers ? given.layers : [given]) {
    for (const [name] of entriesOf(layer)) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [at]);
      else known.push(at);
      at++;
    }
  }
  return places;
}

/** A value that is kept as it was written, with members that are named more than once put together; mostly the value itself. */
export function withoutRepeated(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Double) return value;
  if (Array.isArray(value)) {
    const list = value.map(withoutRepeated);
    return list.every((element, i) => element === value[i]) ? value : list;
  }
  const entries = Array.from(entriesOf(value), ([name, member]) => [name, withoutRepeated(member)] as const);
  const isKept = entries.every(([name, member]) => member === (value as Json)[name]);
  return isKept && !(value instanceof RepeatedMembers) ? value : Object.fromEntries(entries);
}

function entriesOf(layer: object): Iterable<readonly [string, unknown]> {
  return layer instanceof RepeatedMembers ? layer.entries : Object.entries(layer);
}

const NILLABLE: ReadonlySet<string> = new Set(["list", "map", "bytes"]);

function combine(type: ValueType, pointer: boolean, earlier: unknown, later: unknown): unknown {
  if (later === null) return pointer || NILLABLE.has(type.code) ? null : earlier;
  if (earlier === null || typeof earlier !== "object" || typeof later !== "object") return later;
  if (type.code === "list" && Array.isArray(earlier) && Array.isArray(later)) {
    return later.map((element, i) => (i < earlier.length ? combine(type.of!, false, earlier[i], element) : element));
  }
  const isMerged = type.code === "struct" || type.code === "map";
  if (!isMerged || Array.isArray(later)) return later;
  // One list grows: copying it for every repetition would take quadratic time.
  const merged = earlier instanceof Layers ? earlier : new Layers([earlier]);
  if (later instanceof Layers) pushAll(merged.layers, later.layers);
  else merged.layers.push(later);
  return merged;
}
