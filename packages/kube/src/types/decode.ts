// An object passes through the Go type of its kind: decoded as the API server decodes a body and encoded again in one walk.
// Nulls, zero values of plain omitempty fields and unknown fields vanish, pointers keep their zero, what is always written
// is there; quantities, times and bytes are spelt as the server spells them. Fields stand in the order of the Go type.
//
// Nothing is written on what was given. Structs and lists of the result are new and belong to the caller; texts, and maps and lists of
// texts that need no change, are shared with what was given.

import { compareStrings } from "@celadon/base";
import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { RepeatedMembers } from "../read/raw-json.ts";
import { readBase64, writeBase64 } from "./bytes.ts";
import { readMicroTime, readTime } from "./go-time.ts";
import { isMembers, isNumber, jsonType, numberText } from "./json-type.ts";
import type { BadValue, DecodeError, Step, StrictFinding } from "./problem.ts";
import { Layers, membersOf } from "./repeated.ts";
import { type Field, type StructType, typeOfKind, type ValueType } from "./table.ts";

export interface Decoded {
  /** The object as the encoder writes it; undefined if there is an error. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /** Unknown and duplicate fields, in the order they were met; a server stops counting at 100. */
  readonly strict: readonly StrictFinding[];
  readonly error: DecodeError | undefined;
}

export interface DecodeKind {
  readonly apiVersion: string;
  readonly kind: string;
}

type Json = Record<string, unknown>;

const MAX_STRICT = 100;
const NONE: readonly StrictFinding[] = [];

/** Passes an object through the type of the kind; undefined if the kind is not built in. */
export function decode(of: DecodeKind, object: unknown): Decoded | undefined {
  const type = typeOfKind(of.apiVersion, of.kind);
  return type === undefined ? undefined : new Decoder(type).decode(object, of);
}

class Decoder {
  private readonly root: StructType;
  private strict: StrictFinding[] | undefined;
  private error: DecodeError | undefined;
  private readonly path: Step[] = [];
  /** Values of the fields of the structs being read, one range of places for each. */
  private readonly slots: unknown[] = [];
  private top = 0;

  constructor(root: StructType) {
    this.root = root;
  }

  decode(object: unknown, of: DecodeKind): Decoded {
    let decoded: Json | undefined;
    if (!isMembers(object)) this.wrongType(object, `${of.apiVersion.split("/").at(-1)}.${this.root.goName}`);
    else decoded = this.struct(this.root, object);
    if (this.error !== undefined || decoded === undefined)
      return { object: undefined, strict: this.strict ?? NONE, error: this.error };
    const isNamed = decoded.kind === of.kind && decoded.apiVersion === of.apiVersion;
    if (!isNamed) decoded = { ...KIND_FIRST, ...decoded, kind: of.kind, apiVersion: of.apiVersion };
    return { object: decoded, strict: this.strict ?? NONE, error: undefined };
  }

  private struct(type: StructType, given: Json): Json {
    const members = isRepeated(given) ? this.once(given, (name) => type.byName.get(name)) : given;
    const { fields, byName } = type;
    const { slots } = this;
    const base = this.top;
    this.top = base + fields.length;
    for (const key in members) {
      const field = byName.get(key);
      if (field === undefined) this.unknownField(key, type);
      else slots[base + field.index] = this.field(field, members[key]);
    }
    const object: Json = {};
    for (let i = 0; i < fields.length; i++) {
      const value = slots[base + i];
      const field = fields[i]!;
      if (value !== undefined) {
        object[field.name] = value;
        slots[base + i] = undefined;
      } else if (field.always) {
        object[field.name] = field.pointer ? null : this.zero(field.type);
      }
    }
    this.top = base;
    return object;
  }

  /** The value the encoder writes; undefined where it writes none or the zero value. */
  private field(field: Field, value: unknown): unknown {
    // Null leaves a field as it was.
    if (value === null || value === undefined) return undefined;
    const { type } = field;
    this.path.push(field.name);
    const read = this.value(type, value);
    this.path.pop();
    return field.dropsZero && isZero(read) ? undefined : read;
  }

  private value(type: ValueType, value: unknown): unknown {
    switch (type.code) {
      case "string":
        if (typeof value !== "string") this.wrongType(value, type.goType);
        return value;
      case "struct":
        if (isMembers(value)) return this.struct(type.struct!(), value);
        return this.wrongType(value, type.goType);
      case "list":
        return this.list(type, value);
      case "map":
        return this.map(type, value);
      case "bool":
        if (typeof value !== "boolean") this.wrongType(value, type.goType);
        return value;
      case "int32":
      case "int64":
        return this.integer(type.code, value, type.goType);
      case "intOrString":
        return typeof value === "string" ? value : this.integer("int32", value, "int32");
      case "float":
        return isNumber(value) ? value : this.wrongType(value, type.goType);
      case "quantity":
        return this.quantity(value);
      case "time":
      case "microTime":
        return this.time(type.code, value);
      case "bytes":
        return this.bytes(type, value);
      case "raw":
        return value;
      case "schemaOrBool":
      case "schemaOrList":
      case "schemaOrTexts":
        return this.schemaOr(type, value);
    }
  }

  private list(type: ValueType, value: unknown): unknown {
    if (!Array.isArray(value)) return this.wrongType(value, type.goType);
    const of = type.of!;
    const list = new Array<unknown>(value.length);
    for (let i = 0; i < value.length; i++) {
      const element: unknown = value[i];
      if (element === null || element === undefined) {
        list[i] = this.zero(of);
        continue;
      }
      this.path.push(i);
      list[i] = this.value(of, element);
      this.path.pop();
    }
    return list;
  }

  // Keys are written sorted.
  private map(type: ValueType, value: unknown): unknown {
    if (!isMembers(value)) return this.wrongType(value, type.goType);
    if (isRepeated(value))
      return this.map(
        type,
        this.once(value, () => undefined),
      );
    const of = type.of!;
    let before = "";
    let isSame = true;
    const map: Json = {};
    for (const key in value) {
      const given = value[key];
      let read: unknown;
      if (given === null || given === undefined) read = this.zero(of);
      else {
        this.path.push(key);
        read = this.value(of, given);
        this.path.pop();
      }
      if (read !== given || key < before) isSame = false;
      before = key;
      put(map, key, read);
    }
    return isSame ? value : sortedMap(map);
  }

  private integer(code: "int32" | "int64", value: unknown, goType: string): unknown {
    if (typeof value === "number" && Number.isSafeInteger(value)) {
      if (code === "int64" || (value >= -2147483648 && value <= 2147483647)) return value;
    } else if (typeof value === "bigint" && code === "int64" && BigInt.asIntN(64, value) === value) return value;
    return this.wrongType(value, goType, true);
  }

  private quantity(value: unknown): unknown {
    const text = typeof value === "string" ? value : isNumber(value) ? numberText(value) : "{}";
    const parsed = parseQuantity(text.trim());
    return isInvalid(parsed) ? this.badValue("invalid_quantity", parsed.message) : parsed.toString();
  }

  private time(code: "time" | "microTime", value: unknown): unknown {
    if (typeof value !== "string") return this.wrongType(value, "string");
    const read = code === "time" ? readTime(value) : readMicroTime(value);
    return "error" in read ? this.badValue("invalid_time", read.error) : read.text;
  }

  private bytes(type: ValueType, value: unknown): unknown {
    if (Array.isArray(value)) {
      return writeBase64(value.map((element) => (element === null ? 0 : this.byte(element))));
    }
    if (typeof value !== "string") return this.wrongType(value, type.goType);
    const read = readBase64(value);
    return "error" in read ? this.badValue("invalid_base64", read.error) : read.text;
  }

  private byte(value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255) return value;
    this.wrongType(value, "uint8", true);
    return 0;
  }

  /** A schema, or what else its type takes; the schema's type is that of the elements. */
  private schemaOr(type: ValueType, value: unknown): unknown {
    if (type.code === "schemaOrBool" && typeof value === "boolean") return value;
    if (isMembers(value)) return this.value(type.of!, value);
    if (!Array.isArray(value)) return this.badValue("invalid_schema", SCHEMA_EXPECTED[type.code] ?? "");
    if (type.code === "schemaOrBool") return this.badValue("invalid_schema", SCHEMA_EXPECTED.schemaOrBool!);
    return this.list({ ...type, code: "list", of: type.code === "schemaOrList" ? type.of! : TEXT }, value);
  }

  /** Members with those that are named more than once put together. */
  private once(given: Json, fieldOf: (name: string) => Field | undefined): Json {
    return membersOf(given, fieldOf, (name) => {
      this.strict ??= [];
      if (this.strict.length < MAX_STRICT) this.strict.push({ code: "duplicate_field", path: [...this.path, name] });
    });
  }

  private zero(type: ValueType): unknown {
    switch (type.code) {
      case "string":
        return "";
      case "int32":
      case "int64":
      case "intOrString":
      case "float":
        return 0;
      case "bool":
        return false;
      case "quantity":
        return "0";
      case "struct":
        return this.struct(type.struct!(), NOTHING);
      default:
        return null;
    }
  }

  private unknownField(key: string, type: StructType): void {
    this.strict ??= [];
    if (this.strict.length >= MAX_STRICT) return;
    this.strict.push({ code: "unknown_field", path: [...this.path, key], known: [...type.byName.keys()] });
  }

  private wrongType(value: unknown, wanted: string, isNumberShown = false): undefined {
    if (this.error !== undefined) return;
    const found = jsonType(value);
    this.error = {
      code: "wrong_type",
      path: [...this.path],
      found: found === "number" && isNumberShown ? `number ${numberText(value)}` : found,
      wanted,
      ...fieldNames(this.root, this.path),
    };
  }

  private badValue(code: BadValue["code"], message: string): undefined {
    this.error ??= { code, path: [...this.path], message };
  }
}

const NOTHING: Json = {};
const KIND_FIRST: Json = { kind: "", apiVersion: "" };

const TEXT: ValueType = { code: "string", goType: "string" };
const SCHEMA_EXPECTED: Readonly<Record<string, string>> = {
  schemaOrBool: "boolean or JSON schema expected",
  schemaOrList: "",
  schemaOrTexts: "",
};

function isRepeated(value: object): boolean {
  return value instanceof RepeatedMembers || value instanceof Layers;
}

/** What omitempty leaves out. */
function isZero(value: unknown): boolean {
  if (value === "" || value === 0 || value === false || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function sortedMap(map: Json): Json {
  const sorted: Json = {};
  for (const key of Object.keys(map).sort(compareStrings)) put(sorted, key, map[key]);
  return sorted;
}

function put(object: Json, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** How Go's decoder names the field at a path: its struct, and the fields that lead there, embedded structs included. */
function fieldNames(root: StructType, path: readonly Step[]): { struct?: string; fields?: readonly string[] } {
  let struct: StructType | undefined = root;
  let type: ValueType | undefined;
  let owner: string | undefined;
  const fields: string[] = [];
  for (const step of path) {
    if (type?.code === "list" || type?.code === "map") {
      type = type.of;
    } else {
      const field: Field | undefined = struct?.byName.get(String(step));
      if (field === undefined) break;
      owner = struct!.goName;
      fields.push(...field.embedded, field.name);
      type = field.type;
    }
    struct = type?.code === "struct" ? type.struct!() : undefined;
  }
  return owner === undefined ? {} : { struct: owner, fields };
}
