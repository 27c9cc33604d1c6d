// An object passes through the Go type of its kind: decoded as the API server decodes a body and encoded again in one walk. Nulls, zero
// values of plain omitempty fields and unknown fields vanish, pointers keep their zero, and fields that are always written exist;
// quantities, times and bytes are spelt as the server spells them. Fields stand in the order of the Go type.
//
// The input is not modified. Structs and lists of the result are new and belong to the caller; texts, and maps and lists of texts that need
// no change, are shared with the input.

import { compareStrings, encodeBase64, setOwn } from "@celadon/base";
import { emulationOf } from "../emulation.ts";
import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { RepeatedMembers } from "../read/json/raw-json.ts";
import { readBase64 } from "./bytes.ts";
import { DecodeFindings } from "./decode-findings.ts";
import type { Decoded, DecodeKind, DecodeOptions } from "./decode-options.ts";
import { copyEmpty, noteEmpty, wasEmpty } from "./empty-fields.ts";
import { inFieldOrder, wholeOf } from "./go-conversion.ts";
import { readMicroTime, readTime } from "./go-time.ts";
import { isFiniteNumber, isMembers, isNumber, numberText } from "./json-type.ts";
import type { DecodeError, PathStep, StrictFinding } from "./problem.ts";
import { Layers, membersOf, placesOf, withoutRepeated } from "./repeated.ts";
import { type GoField, type GoStruct, typeOfKind, type ValueType } from "./table.ts";

type Json = Record<string, unknown>;

/** Values of the fields of the structs being read, one range of places for each. Empty between two calls. */
const slots: unknown[] = [];
const NONE: readonly StrictFinding[] = [];
const NO_ERRORS: readonly DecodeError[] = [];

/** Passes an object through the type of the kind; undefined if the kind is not built in. */
export function decode(of: DecodeKind, object: unknown, options: DecodeOptions = {}): Decoded | undefined {
  const type = typeOfKind(of.apiVersion, of.kind, options.minor);
  return type === undefined ? undefined : decodeAs(type, of, object, options);
}

/** The same for a type that is no built-in kind's, such as that of a server's configuration. */
export function decodeAs(type: GoStruct, of: DecodeKind, object: unknown, options: DecodeOptions = {}): Decoded {
  return new Decoder(type, options).decode(object, of);
}

class Decoder {
  private readonly root: GoStruct;
  private readonly keepEmpty: boolean;
  private readonly ordered: boolean;
  private readonly merged: boolean;
  private readonly isAgain: boolean;
  private readonly without: Readonly<Json> | undefined;
  private readonly findings: DecodeFindings;
  private readonly path: PathStep[];
  private top = 0;

  constructor(
    root: GoStruct,
    { keepEmpty = false, unordered = false, merged = false, again = false, without, minor }: DecodeOptions,
  ) {
    this.root = root;
    this.keepEmpty = keepEmpty;
    this.ordered = !unordered;
    this.merged = merged;
    this.isAgain = again;
    this.without = without;
    this.findings = new DecodeFindings(root, merged, emulationOf(minor).since(EMBEDDED_SINCE));
    this.path = this.findings.path;
  }

  decode(object: unknown, of: DecodeKind): Decoded {
    let decoded: Json | undefined;
    if (isMembers(object)) decoded = this.struct(this.root, object);
    else this.findings.wrongType(object, `${of.apiVersion.split("/").at(-1)}.${this.root.goName}`);
    const strict = this.findings.strict ?? NONE;
    const errors = this.findings.errors ?? NO_ERRORS;
    const error = (this.merged ? undefined : this.findings.ending) ?? errors[0];
    if (error !== undefined) {
      return {
        object: undefined,
        strict,
        error,
        errors: [error, ...errors.filter((decodeError) => decodeError !== error)],
      };
    }
    if (decoded === undefined) throw new Error("not decoded, and no error");
    const isNamed = decoded.kind === of.kind && decoded.apiVersion === of.apiVersion;
    if (!isNamed) decoded = { ...KIND_FIRST, ...decoded, kind: of.kind, apiVersion: of.apiVersion };
    return { object: decoded, strict, error: undefined, errors: NO_ERRORS };
  }

  private struct(type: GoStruct, given: Json): Json {
    if (isRepeated(given)) return this.repeated(type, given);
    const members = this.merged ? inFieldOrder(type, given) : given;
    return this.ordered ? this.inOrder(type, members) : this.asGiven(type, members);
  }

  /** Findings come in the order of the text, whether a member is unknown or named again. */
  private repeated(type: GoStruct, given: Json): Json {
    const before = this.findings.strict?.length ?? 0;
    const members = this.once(given, (name) => type.byName.get(name), type);
    const object = this.ordered ? this.inOrder(type, members) : this.asGiven(type, members);
    const places = placesOf(given);
    const depth = this.path.length;
    const found = (this.findings.strict ?? []).slice(before).map((finding) => {
      const [first = 0, ...again] = places.get(String(finding.path[depth])) ?? [];
      const isAgain = finding.code === "duplicate_field" && finding.path.length === depth + 1;
      return { finding, place: isAgain ? (again.shift() ?? first) : first };
    });
    found.sort((a, b) => a.place - b.place);
    this.findings.strict?.splice(before, found.length, ...found.map(({ finding }) => finding));
    return object;
  }

  private asGiven(type: GoStruct, members: Json): Json {
    const { byName, always } = type;
    const object: Json = this.isAgain ? copyEmpty(members, {}) : {};
    for (const key in members) {
      const field = byName.get(key);
      if (field === undefined) this.findings.unknownField(key, type);
      else {
        const given = members[key];
        const value = given === null ? this.zeroTime(field, members) : this.field(field, given);
        if (value !== undefined) object[key] = value;
        if (value == null && isEmptyPart(field, given)) noteEmpty(object, key);
      }
    }
    const without = type === this.root ? this.without : undefined;
    for (const field of always) {
      if (object[field.name] !== undefined || (without !== undefined && Object.hasOwn(without, field.name))) continue;
      object[field.name] = field.pointer ? null : this.zero(field.type);
    }
    return object;
  }

  private inOrder(type: GoStruct, members: Json): Json {
    const { fields, byName } = type;
    const base = this.top;
    this.top = base + fields.length;
    const object: Json = this.isAgain ? copyEmpty(members, {}) : {};
    for (const key in members) {
      const field = byName.get(key);
      if (field === undefined) this.findings.unknownField(key, type);
      else {
        const given = members[key];
        const value = given === null ? this.zeroTime(field, members) : this.field(field, given);
        slots[base + field.index] = value;
        if (value == null && isEmptyPart(field, given)) noteEmpty(object, key);
      }
    }
    for (let i = 0; i < fields.length; i++) {
      const value = slots[base + i];
      const field = fields[i]!;
      if (value !== undefined) {
        object[field.name] = value;
        slots[base + i] = undefined;
      } else if (field.always && !(type === this.root && this.without && Object.hasOwn(this.without, field.name))) {
        object[field.name] = field.pointer ? null : this.zero(field.type);
      }
    }
    this.top = base;
    return object;
  }

  /** Null leaves a field as it was. One that was decoded before may be a pointer to the zero time, which is written as null. */
  private zeroTime({ name, pointer }: GoField, members: Json): null | undefined {
    return this.isAgain && pointer && wasEmpty(members, name) ? null : undefined;
  }

  /** The value the encoder writes; undefined where it writes none or the zero value. */
  private field(field: GoField, value: unknown): unknown {
    if (value === undefined) return undefined;
    // Most values are texts, and as they should be.
    if (typeof value === "string" && field.type.code === "string") {
      return value === "" && field.dropsZero ? undefined : value;
    }
    this.path.push(field.name);
    const read = this.value(field.type, value);
    this.path.pop();
    if (!field.dropsZero || !isZero(read)) return read;
    return this.keepEmpty && field.tellsEmpty && typeof read === "object" ? read : undefined;
  }

  private value(type: ValueType, value: unknown): unknown {
    switch (type.code) {
      case "string":
        if (typeof value !== "string") this.findings.wrongType(value, type.goType, "string");
        return value;
      case "struct":
        if (isMembers(value)) return this.struct(type.struct!(), value);
        return this.findings.wrongType(value, type.goType, "struct");
      case "list":
        return this.list(type, value);
      case "map":
        return this.map(type, value);
      case "bool":
        if (typeof value !== "boolean") this.findings.wrongType(value, type.goType, "bool");
        return value;
      case "int32":
      case "int64":
        return this.merged
          ? this.converted(type.code, value, type.goType)
          : this.integer(type.code, value, type.goType);
      case "float":
        return this.float(value, type.goType);
      case "bytes":
        return this.bytes(type, value);
      case "raw":
        return withoutRepeated(value);
      default:
        return this.ownForm(type, value);
    }
  }

  /** Types that read themselves. An error of theirs ends decoding, even after other errors, which wait for the end. */
  private ownForm(type: ValueType, value: unknown): unknown {
    const before = this.findings.errorCount;
    const read = this.readOwnForm(type, value);
    this.findings.endAfter(before);
    return read;
  }

  private readOwnForm(type: ValueType, value: unknown): unknown {
    switch (type.code) {
      case "intOrString":
        if (typeof value === "string") return value;
        return this.integer("int32", (this.merged ? wholeOf(value) : undefined) ?? value, "int32");
      case "quantity":
        return this.quantity(value);
      case "time":
      case "microTime":
        return this.time(type.code, value);
      default:
        return this.schemaOr(type, value);
    }
  }

  private list(type: ValueType, value: unknown): unknown {
    if (!Array.isArray(value)) return this.findings.wrongType(value, type.goType, "slice");
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
    if (!isMembers(value)) return this.findings.wrongType(value, type.goType, "map");
    if (isRepeated(value))
      return this.map(
        type,
        this.once(value, () => undefined),
      );
    const of = type.of!;
    let changed: Json | undefined;
    let isSorted = true;
    let before = "";
    for (const key in value) {
      const given = value[key];
      if (key < before) isSorted = false;
      before = key;
      if (typeof given === "string" && of.code === "string") continue;
      let read: unknown;
      if (given === null || given === undefined) read = this.zero(of);
      else {
        this.path.push(key);
        read = this.value(of, given);
        this.path.pop();
      }
      if (read !== given) setOwn((changed ??= { ...value }), key, read);
    }
    return isSorted || !this.ordered ? (changed ?? value) : sortedMap(changed ?? value);
  }

  private integer(code: "int32" | "int64", value: unknown, goType: string): unknown {
    if (typeof value === "number" && Number.isSafeInteger(value)) {
      if (code === "int64" || (value >= -2147483648 && value <= 2147483647)) return value;
    } else if (typeof value === "bigint" && code === "int64" && BigInt.asIntN(64, value) === value) return value;
    return this.findings.wrongType(value, goType, undefined, true);
  }

  private converted(code: "int32" | "int64", value: unknown, goType: string): unknown {
    if (!isNumber(value)) return this.findings.wrongType(value, goType, code);
    const whole = wholeOf(value);
    if (whole === undefined) return this.findings.badValue("not_convertible", `cannot convert float64 to ${goType}`);
    if (code === "int32") return Number(BigInt.asIntN(32, BigInt(whole)));
    return whole;
  }

  private float(value: unknown, goType: string): unknown {
    if (!isNumber(value)) return this.findings.wrongType(value, goType, "float64");
    // A number that was written too large for a double.
    return isFiniteNumber(value) ? value : this.findings.wrongType(value, goType, undefined, true);
  }

  private quantity(value: unknown): unknown {
    const text = typeof value === "string" ? value : isNumber(value) ? numberText(value) : "{}";
    const parsed = parseQuantity(text.trim());
    return isInvalid(parsed) ? this.findings.badValue("invalid_quantity", parsed.message) : parsed.toString();
  }

  private time(code: "time" | "microTime", value: unknown): unknown {
    if (typeof value !== "string") return this.findings.wrongType(value, "string");
    const read = code === "time" ? readTime(value) : readMicroTime(value);
    return "error" in read ? this.findings.badValue("invalid_time", read.error) : read.text;
  }

  private bytes(type: ValueType, value: unknown): unknown {
    if (Array.isArray(value)) {
      return encodeBase64(Uint8Array.from(value, (element) => (element === null ? 0 : this.byte(element))));
    }
    if (typeof value !== "string") return this.findings.wrongType(value, type.goType, "slice");
    const read = readBase64(value);
    return "error" in read ? this.findings.badValue("invalid_base64", read.error) : read.text;
  }

  private byte(value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255) return value;
    this.findings.wrongType(value, "uint8", undefined, true);
    return 0;
  }

  /** Types that decode their members without looking for unknown or repeated fields. */
  private schemaOr(type: ValueType, value: unknown): unknown {
    const before = this.findings.strict?.length ?? 0;
    const read = this.readSchemaOr(type, value);
    this.findings.strict?.splice(before);
    return read;
  }

  /** A schema, or another value that its type accepts; the elements have the schema's type. */
  private readSchemaOr(type: ValueType, value: unknown): unknown {
    if (type.code === "schemaOrBool" && typeof value === "boolean") return value;
    if (isMembers(value)) return this.value(type.of!, value);
    if (type.code === "schemaOrBool")
      return this.findings.badValue("invalid_schema", "boolean or JSON schema expected");
    // Anything else is read as if it were absent.
    if (!Array.isArray(value)) return undefined;
    return this.list({ ...type, code: "list", of: type.code === "schemaOrList" ? type.of! : TEXT }, value);
  }

  /** Members, with repeated ones merged. An unknown field is unknown however often it is named. */
  private once(given: Json, fieldOf: (name: string) => GoField | undefined, type?: GoStruct): Json {
    return membersOf(given, fieldOf, (name) => {
      if (type !== undefined && !type.byName.has(name)) return;
      this.findings.repeatedField(name);
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
}

/** A list, map or time that was given; where its field has no value afterwards, it is empty, or the zero time. */
function isEmptyPart({ type: { code } }: GoField, given: unknown): boolean {
  if (code === "time" || code === "microTime") return typeof given === "string";
  return typeof given === "object" && given !== null && (code === "list" || code === "map");
}

/** Since then errors name the structs that a field is embedded with. */
const EMBEDDED_SINCE = 35;

const NOTHING: Json = {};
const KIND_FIRST: Json = { kind: "", apiVersion: "" };

const TEXT: ValueType = { code: "string", goType: "string" };

function isRepeated(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return false;
  return value instanceof RepeatedMembers || value instanceof Layers;
}

/** Whether omitempty leaves the value out. */
function isZero(value: unknown): boolean {
  if (value === "" || value === 0 || value === false || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function sortedMap(map: Json): Json {
  const sorted: Json = {};
  for (const key of Object.keys(map).sort(compareStrings)) setOwn(sorted, key, map[key]);
  return sorted;
}
