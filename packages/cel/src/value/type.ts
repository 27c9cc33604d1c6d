// CEL types: the checker infers them, declarations state them, and `type(x)` answers them at run time. One class for all of them, so that a
// type is recognised among values and every reader sees one shape.

import { CelObject } from "@celadon/base";
import type { Double, Duration, ListValue, MapValue, Optional, Timestamp, Uint } from "./value.ts";

/** The outermost kind of a type. */
export type Kind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "duration"
  | "timestamp"
  | "dyn"
  | "any"
  | "error"
  | "list"
  | "map"
  | "wrapper"
  | "struct"
  | "opaque"
  | "type"
  | "param"
  | "untyped";

/**
 * Converts data of a declared type to a CEL value, for data that is not one already (a date kept as text, a list with set semantics).
 * Reading a field, element or variable of that type goes through it; plain JSON types have none.
 */
export interface Adapter {
  toValue(raw: unknown): unknown;
  /**
   * True if converted containers convert their parts. Only a variable then goes through `toValue`; and reading the data itself, by field,
   * key or index, leads to the data of the part, which its own type's adapter converts. So generated code follows a path through the data,
   * and converts at its end. Bools, ints, doubles and texts of such types are values already when they are data of that kind.
   */
  readonly deep?: boolean;
  /** For a deep type that may be several things: the kinds of data that are values already. */
  readonly asIs?: readonly ("string" | "int" | "bool")[] | undefined;
}

/**
 * A CEL type. `T` is the type of a result for a host that states it, `D` the form of its data: a double is a number or a `Double` in data,
 * a timestamp may be a `Date`. Both are only for TypeScript.
 */
export class Type<out T = unknown, out D = T> extends CelObject {
  /** Only for TypeScript's inference; never set. */
  declare readonly valueType?: T;
  declare readonly dataType?: D;
  readonly kind: Kind;
  /** The name `type(x)` shows: `int`, `list`, `google.protobuf.Duration`, a message or opaque type's own name. */
  readonly name: string;
  readonly params: readonly Type[];
  readonly adapter: Adapter | undefined;
  /** A struct type whose values a library makes (see `abstractStruct`). */
  readonly abstract: boolean;
  /** Whether a type parameter occurs in it, or no type; a closed type is its own substitution. */
  readonly open: boolean;
  /** Number of types it is made of, itself included: shared parts count each time, as printing and comparing meet them. */
  readonly size: number;

  constructor(kind: Kind, name: string, params: readonly Type[] = [], adapter?: Adapter, abstract = false) {
    super();
    this.kind = kind;
    this.name = name;
    this.params = params;
    this.adapter = adapter;
    this.abstract = abstract;
    let open = kind === "param" || kind === "untyped";
    let size = 1;
    for (const part of params) {
      open ||= part.open;
      size += part.size;
    }
    this.open = open;
    this.size = size;
  }

  /** With run-time names: `list(google.protobuf.Duration)`, `null_type`. Messages use `formatType`. */
  override toString(): string {
    if (this.kind === "wrapper") return `wrapper(${this.name})`;
    return this.params.length === 0 ? this.name : `${this.name}(${this.params.join(", ")})`;
  }
}

/** A CEL int: a number while it is a safe integer, a bigint beyond. */
export type Int = number | bigint;

/** The type of `true` and `false`. */
export const BOOL: Type<boolean> = new Type("bool", "bool");
/** The type of signed 64-bit integers. */
export const INT: Type<Int> = new Type("int", "int");
/** The type of unsigned 64-bit integers. */
export const UINT: Type<Int, Int | Uint> = new Type("uint", "uint");
/** The type of 64-bit floating point numbers. */
export const DOUBLE: Type<number, number | Double> = new Type("double", "double");
/** The type of texts. */
export const STRING: Type<string> = new Type("string", "string");
/** The type of bytes. */
export const BYTES: Type<Uint8Array> = new Type("bytes", "bytes");
/** The type of durations. */
export const DURATION: Type<Duration> = new Type("duration", "google.protobuf.Duration");
/** The type of points in time. */
export const TIMESTAMP: Type<Timestamp, Timestamp | Date> = new Type("timestamp", "google.protobuf.Timestamp");
/** The type of `null`. */
export const NULL: Type<null> = new Type("null", "null_type");
/** The type of a value that is known only at evaluation: every operation is allowed. */
export const DYN: Type<unknown> = new Type("dyn", "dyn");
/** The type of `google.protobuf.Any`, which holds a message of any type. */
export const ANY: Type<unknown> = new Type("any", "google.protobuf.Any");
/**
 * The type of an expression that already has an issue: assignable to everything, so that one mistake is reported once.
 */
export const ERROR: Type<never> = new Type("error", "*error*");
/** No type at all, in releases of cel-go that forget one: it fits only `dyn`, not even itself. */
export const UNTYPED: Type<unknown> = new Type("untyped", "");
/** `type` without a parameter: the type of any type value. */
export const TYPE: Type<Type> = new Type("type", "type");
/** The bare container names, as `type([1])` and `type({})` answer them. */
export const LIST: Type<readonly unknown[]> = new Type("list", "list", [DYN]);
/** The type of maps with unknown keys and values. */
export const MAP: Type<unknown> = new Type("map", "map", [DYN, DYN]);

/** The same in releases of cel-go that print them as `list()` and `map(, )`. */
export const UNTYPED_LIST: Type<readonly unknown[]> = new Type("list", "list", [UNTYPED]);
export const UNTYPED_MAP: Type<unknown> = new Type("map", "map", [UNTYPED, UNTYPED]);

/** Data of a map type: plain objects have string keys only. */
type MapData<K, D> = unknown extends K ? PlainMap<D> | MapValue : K extends string ? PlainMap<D> | MapValue : MapValue;
type MapResult<K, T> = [K] extends [string] ? PlainMap<T> : ReadonlyMap<K, T>;
type PlainMap<T> = Readonly<Record<string, T>>;

/** The type of lists of a type. */
export function listOf<T, D>(elem: Type<T, D>): Type<readonly T[], readonly D[] | ListValue> {
  return new Type("list", "list", [elem]);
}
/** The type of maps with keys and values of these types. */
export function mapOf<K, T, D>(key: Type<K, unknown>, value: Type<T, D>): Type<MapResult<K, T>, MapData<K, D>> {
  return new Type("map", "map", [key, value]);
}
/** The type of a type. */
export function typeOfType(of: Type): Type<Type> {
  return new Type("type", "type", [of]);
}
/** The type of optional values of a type. */
export function optionalOf(of: Type): Type<Optional> {
  return new Type("opaque", "optional_type", [of]);
}
/** A type that expressions can only give to functions, such as an IP address. */
export function opaque<T = unknown>(name: string, ...params: Type[]): Type<T> {
  return new Type("opaque", name, params);
}
/** The type of a message, by its full name. */
export function struct<T = unknown>(name: string): Type<T> {
  return new Type("struct", name);
}
/** A struct type without fields, whose values are a library's own (`Opaque`): plain data never has it. */
export function abstractStruct<T = unknown>(name: string): Type<T> {
  return new Type("struct", name, [], undefined, true);
}
/** A primitive or null: `google.protobuf.Int64Value` and its kin. */
export function wrapper<T, D>(of: Type<T, D>): Type<T | null, D | null> {
  return new Type("wrapper", of.name, [of]);
}
/** A type parameter of a function signature. */
export function param(name: string): Type<unknown> {
  return new Type("param", name);
}

export const isOptionalType = (type: Type): boolean =>
  type.kind === "opaque" && (type.name === "optional_type" || type.name === OLD_OPTIONAL_NAME);

/** The name of the type of optionals before cel-go 0.20. */
export const OLD_OPTIONAL_NAME = "optional";

/** The same type with the older name of optionals wherever it is used. */
export function withOldOptionals(type: Type): Type {
  if (type.params.length === 0 && type.name !== "optional_type") return type;
  const name = type.name === "optional_type" ? OLD_OPTIONAL_NAME : type.name;
  return new Type(type.kind, name, type.params.map(withOldOptionals), type.adapter, type.abstract);
}

/** A type as cel-go prints it in messages and results: `list(int)`, `map(string, dyn)`, `wrapper(int)`, `type(int)`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "null":
      return "null";
    case "any":
      return "any";
    case "error":
      return "!error!";
    case "duration":
      return "duration";
    case "timestamp":
      return "timestamp";
    case "wrapper":
      return `wrapper(${type.name})`;
    case "type":
      return type.params.length === 0 ? "type" : `type(${formatAll(type.params)})`;
    case "list":
    case "map":
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${formatAll(type.params)})`;
    default:
      return type.name;
  }
}

const formatAll = (types: readonly Type[]): string => types.map(formatType).join(", ");
