// Decoding plain JSON into the shapes of the API, driven by tables: which fields a type has, of what kind, and under which
// name Go holds them. Zero values are left out, as Go's encoding leaves them out; unknown fields are dropped and reported,
// a value of the wrong type ends the decoding.

import { formatGoJson, isRecord, type JsonObject, jsonKind, quoteJson, setOwn } from "@celadon/base";
import { readTime } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import { frozenCopy, isFloat, isInteger, numberOf } from "./json.ts";

/**
 * The kind of a field's value. A question mark is a pointer in Go: written even when it points to a zero value. An exclamation mark is
 * always written.
 */
export type Kind =
  | "string"
  | "string?"
  | "bool"
  | "bool?"
  | "bool!"
  | "int"
  | "int?"
  | "number?"
  | "bytes"
  | "time"
  | "json?"
  | "string[]"
  | "json[]"
  | { readonly struct: () => Struct }
  | { readonly structs: () => Struct }
  | { readonly map: () => Struct }
  | { readonly custom: CustomKind };

/** A field that has its own decoding. Unknown fields inside it are not reported, as Go's own decoders do not report them either. */
export interface CustomKind {
  decode(value: unknown, decoding: Decoding, path: FieldPath): readonly (readonly [string, unknown])[];
  toGo(owner: JsonObject): unknown;
}

export interface Field {
  readonly name: string;
  readonly go: string;
  readonly kind: Kind;
}

export interface Struct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

export function structOf(name: string, rows: readonly (readonly [string, string, Kind])[]): Struct {
  return { name, fields: new Map(rows.map(([json, go, kind]) => [json, { name: json, go, kind }])) };
}

/** A value that does not have the type of its field. */
export class DecodeFailure extends Error {
  readonly path: FieldPath;
  constructor(message: string, path: FieldPath) {
    super(message);
    this.path = path;
  }
}

/** One decoding, with the unknown fields it met. */
export class Decoding {
  readonly unknown: FieldPath[] = [];
  private silent = 0;

  struct(value: unknown, struct: Struct, path: FieldPath): JsonObject {
    const result: JsonObject = {};
    if (value === null || value === undefined) return result;
    if (!isRecord(value)) throw mismatch(value, path, struct.name);
    for (const key of Object.keys(value)) {
      const field = struct.fields.get(key);
      const here = path.child(key);
      if (field === undefined) {
        if (this.silent === 0) this.unknown.push(here);
      } else this.field(result, field, value[key], here, struct);
    }
    for (const { kind, name } of struct.fields.values())
      if (kind === "bool!" && !Object.hasOwn(result, name)) result[name] = false;
    return result;
  }

  /** Decodes without reporting unknown fields inside. */
  silently<T>(decode: () => T): T {
    this.silent++;
    const result = decode();
    this.silent--;
    return result;
  }

  private field(into: JsonObject, field: Field, value: unknown, path: FieldPath, owner: Struct): void {
    const { kind, name } = field;
    if (typeof kind === "object") {
      if (value === null || value === undefined) return;
      if ("custom" in kind) {
        for (const [key, part] of kind.custom.decode(value, this, path)) setOwn(into, key, part);
      } else if ("struct" in kind) setOwn(into, name, this.struct(value, kind.struct(), path));
      else if ("structs" in kind) setList(into, name, this.structs(value, kind.structs(), path, owner));
      else setMap(into, name, this.structMap(value, kind.map(), path));
      return;
    }
    const decoded = scalar(value, kind, path, owner);
    if (decoded !== undefined) setOwn(into, name, decoded);
  }

  /** `owner` is the struct that has the list. */
  structs(value: unknown, struct: Struct, path: FieldPath, owner?: Struct): JsonObject[] {
    const type = owner === undefined ? struct.name : `v1.${struct.name}`;
    if (!Array.isArray(value)) throw mismatch(value, path, `[]${type}`, owner);
    return value.map((item, i) => {
      const here = path.index(i);
      if (item !== null && !isRecord(item)) throw mismatch(item, here, type, owner);
      return this.struct(item, struct, here);
    });
  }

  structMap(value: unknown, struct: Struct, path: FieldPath): JsonObject {
    if (!isRecord(value)) throw mismatch(value, path, `map[string]${struct.name}`);
    const result: JsonObject = {};
    for (const key of Object.keys(value)) setOwn(result, key, this.struct(value[key], struct, path.child(key)));
    return result;
  }
}

function setList(into: JsonObject, name: string, list: readonly unknown[]): void {
  if (list.length > 0) setOwn(into, name, list);
}

function setMap(into: JsonObject, name: string, map: JsonObject): void {
  if (Object.keys(map).length > 0) setOwn(into, name, map);
}

/** Undefined for what Go would not keep: null, and the zero values of fields without a pointer. */
function scalar(value: unknown, kind: Extract<Kind, string>, path: FieldPath, owner: Struct): unknown {
  if (value === null || value === undefined) return undefined;
  const wrong = (type: string): DecodeFailure => mismatch(value, path, type, owner);
  switch (kind) {
    case "string":
    case "string?":
    case "bytes":
      if (typeof value !== "string") throw wrong(kind === "bytes" ? "[]uint8" : "string");
      return value === "" && kind !== "string?" ? undefined : value;
    case "time": {
      if (typeof value !== "string") throw wrong("string");
      const time = readTime(value);
      if ("error" in time) throw new DecodeFailure(time.error, path);
      return time.text ?? undefined;
    }
    case "bool":
    case "bool?":
    case "bool!":
      if (typeof value !== "boolean") throw wrong("bool");
      return value || kind !== "bool" ? value : undefined;
    case "int":
    case "int?": {
      if (!isInteger(value)) throw wrong("int64");
      return numberOf(value) === 0 && kind === "int" ? undefined : numberOf(value);
    }
    case "number?":
      if (!isInteger(value) && !isFloat(value)) throw wrong("float64");
      return numberOf(value);
    case "json?":
      return frozenCopy(value);
    case "string[]": {
      if (!Array.isArray(value)) throw wrong("[]string");
      const odd = value.find((item) => typeof item !== "string" && item !== null);
      if (odd !== undefined) throw mismatch(odd, path, "string", owner);
      return value.length === 0 ? undefined : value.map((item) => item ?? "");
    }
    case "json[]":
      if (!Array.isArray(value)) throw wrong("[]v1.JSON");
      return value.length === 0 ? undefined : frozenCopy(value);
  }
}

function mismatch(value: unknown, path: FieldPath, type: string, owner?: Struct): DecodeFailure {
  const found = jsonKind(value) === "integer" ? "number" : jsonKind(value) === "boolean" ? "bool" : jsonKind(value);
  const where = owner === undefined ? "value" : `struct field ${owner.name}.${path.withoutIndexes()}`;
  return new DecodeFailure(`json: cannot unmarshal ${found} into Go ${where} of type ${type}`, path);
}

/** The struct as Go would marshal it without field tags: every field, in order, under its Go name. */
export function goJson(value: JsonObject | undefined, struct: Struct): string {
  if (value === undefined) return "null";
  const members: string[] = [];
  for (const field of struct.fields.values()) members.push(`${quoteJson(field.go)}:${goField(value, field)}`);
  return `{${members.join(",")}}`;
}

function goField(owner: JsonObject, { kind, name }: Field): string {
  const value = Object.hasOwn(owner, name) ? owner[name] : undefined;
  if (typeof kind === "string") {
    if (value !== undefined) return plainJson(value);
    return kind === "string" ? '""' : kind === "bool" ? "false" : kind === "int" ? "0" : "null";
  }
  if ("custom" in kind) return plainJson(kind.custom.toGo(owner));
  if (value === undefined) return "null";
  if ("struct" in kind) return goJson(value as JsonObject, kind.struct());
  if ("structs" in kind) return `[${(value as JsonObject[]).map((item) => goJson(item, kind.structs())).join(",")}]`;
  const map = value as Record<string, JsonObject>;
  const keys = Object.keys(map).sort();
  return `{${keys.map((key) => `${quoteJson(key)}:${goJson(map[key], kind.map())}`).join(",")}}`;
}

/** JSON that is already rendered, inside data that is not. */
export class Rendered {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function plainJson(value: unknown): string {
  return value instanceof Rendered ? value.text : formatGoJson(value);
}
