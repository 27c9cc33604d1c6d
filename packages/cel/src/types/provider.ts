// The source of struct types, their fields and named constants: protobuf descriptors, Kubernetes schemas, a host's own.

import type { CelError } from "../value/error.ts";
import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";

/** A name with a fixed value: an enum member. */
export interface Constant {
  readonly name: string;
  readonly type: Type;
  readonly value: Value;
}

/** A field of a struct: its name and type. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  /**
   * The own property that holds the field in a plain object. When set, reading is `target[key]` and absence or undefined is
   * "no such key"; then `get` and `has` are not called.
   */
  readonly key?: string;
  /** With `key`: a property that is null counts as absent. */
  readonly nullIsAbsent?: boolean;
  /**
   * With `key`: values of the struct are views of data. If the data itself stands instead of its view (see value/reopen.ts), it is a map
   * like any other: read by the field's name, its nulls included.
   */
  readonly viewed?: boolean;
  get?(target: Value): Value | CelError;
  has?(target: Value): boolean | CelError;
}

/** A struct: its type, its fields, and how one is made. */
export interface StructType {
  readonly type: Type;
  /**
   * False when the type's name passes the checker but has no value: a program that reads it cannot be made. So it is with
   * types that Kubernetes declares from schemas.
   */
  readonly named?: boolean;
  /** True for a type that the host declares for its data, whose name older releases take for a variable without a value. */
  readonly declared?: boolean;
  /** False if its parts are read unconverted, for all types of fields: Kubernetes uses the types it declares for checking only. */
  readonly converts?: boolean;
  field(name: string): Field | undefined;
  fieldNames(): readonly string[];
  /** Builds `Name{field: value}`; absent where literals of the type are not allowed. */
  create?(fields: ReadonlyMap<string, Value>): Value | CelError;
}

/** Provides types by name to an environment. Hosts implement it to add their own types. */
export interface TypeProvider {
  findStruct(name: string): StructType | undefined;
  /** A type or enum constant that an identifier may name. */
  findIdent(name: string): Type | Constant | undefined;
  /**
   * Whether any name it knows starts with `first` and a dot. Spares the checker a lookup at every dot of `object.spec.name`;
   * absent means that it cannot tell.
   */
  hasPrefix?(first: string): boolean;
}
