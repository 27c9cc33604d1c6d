// The JavaScript form of CEL values. Plain JSON is used as it is; classes exist only for what JSON cannot say.
//
//   null bool string   null, boolean, string
//   int                number while a safe integer, bigint beyond; a plain JSON number that is a safe integer is an int
//   double             number when it is not a safe integer (1.5, NaN, 1e300), otherwise boxed as Double
//   uint               boxed as Uint
//   bytes              Uint8Array
//   list               array, or a ListValue
//   map                plain object (own string keys), or a MapValue
//   the rest           Timestamp, Duration, Optional, Type, and Opaque for what libraries add
//
// This is the *boxed* form, which every value has when its static type is not known. If the checker knows that a value is a double or a
// uint, implementations and generated code use the *bare* number (`number`, or `Int` for uint) instead.

import { CelObject, Double } from "@celadon/base";
import type { CelError } from "./error.ts";
import { grow } from "./size/work.ts";
import { formatDuration, formatTimestamp } from "./time/time-format.ts";
import { type Int, Type } from "./type.ts";

/** A CEL value: plain JavaScript data, or one of the classes of this package. Values are wrapped only if they have to be. */
export type Value = unknown;

/** An unsigned 64-bit integer. */
export class Uint extends CelObject {
  readonly value: Int;
  constructor(value: Int) {
    super();
    this.value = value;
  }
  toJSON(): number | string {
    return typeof this.value === "bigint" ? String(this.value) : this.value;
  }
}

/** Seconds since the epoch, nanoseconds 0..999,999,999, and the offset the text had, which `string()` gives back. */
export class Timestamp extends CelObject {
  readonly seconds: number;
  readonly nanos: number;
  readonly offsetMinutes: number;
  constructor(seconds: number, nanos: number, offsetMinutes = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
  toJSON(): string {
    return formatTimestamp(this);
  }
}

/** Whole seconds and nanoseconds of the same sign, within 64 bits of nanoseconds as Go's durations are. */
export class Duration extends CelObject {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }
  toJSON(): string {
    return formatDuration(this);
  }
}

/** A value that may be absent: `optional.of(1)`, `optional.none()`. */
export class Optional extends CelObject {
  readonly value: Value;
  readonly hasValue: boolean;
  private constructor(hasValue: boolean, value: Value) {
    super();
    this.hasValue = hasValue;
    this.value = value;
  }
  static readonly none: Optional = new Optional(false, undefined);
  static of(value: Value): Optional {
    return new Optional(true, value);
  }
}

/** A list that is not an array: schema-typed lists, repeated message fields. Elements are boxed values. */
export abstract class ListValue extends CelObject {
  /** The data it is a view of, if it is one. */
  declare readonly data?: unknown;
  abstract readonly size: number;
  /** The element at an index in range. `key` is the index as an expression wrote it, which may be a uint or a double. */
  abstract get(index: number, key?: Value): Value | CelError;
  /** Equality and concatenation of their own (list types `set` and `map`); undefined means element by element. */
  equals?(other: Value): boolean | CelError;
  concat?(other: Value): Value | CelError;
  contains?(elem: Value): boolean | CelError;
  /** For `optional.ofNonZeroValue`; without it the list is never a zero value. */
  isZero?(): boolean;
}

/** A map that is not a plain object: literals, transformed maps, message map fields, schema-typed objects. */
export abstract class MapValue extends CelObject {
  /** The data it is a view of, if it is one. */
  declare readonly data?: unknown;
  abstract readonly size: number;
  /** The value under a key, undefined when absent. Numeric keys find each other across int, uint and double. */
  abstract find(key: Value): Value | CelError | undefined;
  abstract keys(): Iterable<Value>;
  /** Membership of a key, where it is another question than whether `find` has a value. */
  contains?(key: Value): boolean | CelError;
  equals?(other: Value): boolean | CelError;
  /** For `optional.ofNonZeroValue`; without it the map is never a zero value. */
  isZero?(): boolean;
}

/** A message of a struct type: fields by name, presence, equality. */
export abstract class StructValue extends CelObject {
  abstract readonly type: Type;
  abstract get(field: string): Value | CelError;
  abstract has(field: string): boolean | CelError;
  abstract equals(other: Value): boolean | CelError;
  /** The values in it, for readers of its size. */
  parts?(): Iterable<Value>;
  /** For `optional.ofNonZeroValue`; without it the message is never a zero value. */
  isZero?(): boolean;
}

/** The memory of a library's value with its parts, in UTF-16 units: one per unit of a cost limit of a million is not too much. */
const OPAQUE_GROWTH = 64;

/** A value of an abstract type that a library brings (an IP address, a quantity). */
export abstract class Opaque extends CelObject {
  constructor() {
    super();
    grow(OPAQUE_GROWTH);
  }
  abstract readonly type: Type;
  /** The Go type that the reference names in messages about this value; the type's name otherwise. Declared: most do not have it. */
  declare readonly goType?: string;
  /** Converts the value to Go and back to CEL, as the reference does (see value/reopen.ts). */
  throughHost(): Value | CelError {
    return this;
  }
  abstract equals(other: Value): boolean | CelError;
  /** The name by which the reference refuses to convert it. */
  get hostName(): string {
    return this.type.name;
  }
  /** The value where the reference uses Go's text of it; undefined when that is refused. */
  get hostText(): string | undefined {
    return undefined;
  }
  /** Whether it can be a key of a map: Go cannot hash a value that contains a slice or a function. */
  get hashable(): boolean {
    return true;
  }
  /** The text by which the value is a key of a map; undefined for one that is the same as itself alone. */
  get keyText(): string | undefined {
    return undefined;
  }
  /** The cost of `==` with this value on the left, if its library states one; by size otherwise. */
  declare readonly equalityCost?: number;
  /** The size that cost formulas see; 1 for most. */
  get costSize(): number {
    return 1;
  }
}

export { Double, Type };
