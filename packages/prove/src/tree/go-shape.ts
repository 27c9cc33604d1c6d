// The shapes of built-in kinds: the form of a request after decoding through their Go types. Zero values of omitempty fields vanish, fields
// that are always written exist, absent lists may be null.

import type { Schema } from "@celadon/kube/schemas";
import type { GoField, GoStruct, ValueType } from "@celadon/kube/types";
import { INT64, type Interval, max, min } from "../number/solver.ts";
import { type Language, oneOf } from "../text/language.ts";
import { patternLanguage } from "../text/pattern.ts";
import { guaranteeOf, type Narrower } from "./guarantees.ts";
import { KIND } from "./node.ts";
import { ANY_SIZE, ANYTHING, INT32, interval, type Shape } from "./shape.ts";

const shapes = new WeakMap<GoStruct, Map<Schema | undefined, Shape>>();

/** The shape of a struct; `schema` is the published one, for making objects. */
export function structShape(struct: GoStruct, schema: Schema | undefined): Shape {
  let known = shapes.get(struct);
  if (known === undefined) shapes.set(struct, (known = new Map()));
  let shape = known.get(schema);
  if (shape === undefined) known.set(schema, (shape = new StructShape(struct, schema)));
  return shape;
}

class StructShape implements Shape {
  readonly kinds = KIND.map;
  readonly required: readonly string[];
  readonly names: readonly string[];
  readonly values = undefined;
  readonly languages = [];
  readonly lengths = ANY_SIZE;
  readonly numbers = INT64;
  readonly sizes = ANY_SIZE;
  readonly notZero = false;
  readonly schema: Schema | undefined;
  readonly #struct: GoStruct;
  readonly #fields = new Map<string, Shape | undefined>();

  constructor(struct: GoStruct, schema: Schema | undefined) {
    this.schema = schema;
    this.#struct = struct;
    this.names = struct.fields.map(({ name }) => name);
    const always = guaranteeOf(struct.name)?.always ?? [];
    this.required = [...new Set([...struct.always.map(({ name }) => name), ...always])];
  }

  get items(): Shape {
    return ANYTHING;
  }

  field(name: string): Shape | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const field = this.#struct.byName.get(name);
    const guaranteed = guaranteeOf(this.#struct.name)?.fields?.[name];
    const shape = field && fieldShape(field, this.schema?.properties?.get(name), guaranteed);
    this.#fields.set(name, shape);
    return shape;
  }
}

function fieldShape(field: GoField, schema: Schema | undefined, guaranteed: Narrower | undefined): Shape {
  const isFilled = (guaranteed?.minItems ?? guaranteed?.minProperties ?? 0) > 0;
  return typeShape(field.type, schema, {
    guaranteed,
    dropsZero: field.dropsZero && !field.tellsEmpty,
    mayBeNull: field.always && !isFilled && (field.pointer || NIL.has(field.type.code)),
  });
}

/** Types whose zero value is written as null. */
const NIL: ReadonlySet<string> = new Set(["list", "map", "time", "microTime", "bytes", "raw"]);

interface Written {
  readonly guaranteed?: Narrower | undefined;
  /** A zero value is not written. */
  readonly dropsZero?: boolean;
  readonly mayBeNull?: boolean;
}

function typeShape(type: ValueType, schema: Schema | undefined, written: Written): Shape {
  const { code } = type;
  if (code === "struct" && type.struct !== undefined) {
    const shape = structShape(type.struct(), schema);
    return written.mayBeNull ? new NullableShape(shape) : shape;
  }
  if (code === "raw" || code.startsWith("schemaOr")) return ANYTHING;
  return new ValueShape(type, schema, written);
}

const KINDS: Readonly<Record<string, number>> = {
  string: KIND.text,
  quantity: KIND.text,
  time: KIND.text,
  microTime: KIND.text,
  bytes: KIND.text,
  bool: KIND.bool,
  int32: KIND.int,
  int64: KIND.int,
  float: KIND.int | KIND.double,
  intOrString: KIND.int | KIND.text,
  list: KIND.list,
  map: KIND.map,
};

/** The texts that decoding accepts, and all that it writes. */
const QUANTITY = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$";

class ValueShape implements Shape {
  readonly kinds: number;
  readonly required = [];
  readonly names = [];
  readonly languages: readonly Language[];
  readonly lengths: Interval;
  readonly numbers: Interval;
  readonly sizes: Interval;
  readonly notZero: boolean;
  readonly schema: Schema | undefined;
  readonly #type: ValueType;
  readonly #guaranteed: Narrower;
  #element: Shape | undefined;

  constructor(
    type: ValueType,
    schema: Schema | undefined,
    { guaranteed = {}, dropsZero = false, mayBeNull = false }: Written,
  ) {
    const { code } = type;
    this.#type = type;
    this.schema = schema;
    this.#guaranteed = guaranteed;
    this.kinds = (KINDS[code] ?? 0) | (mayBeNull ? KIND.null : 0);
    const some = dropsZero ? 1n : 0n;
    const texts = guaranteed.enum?.filter((value): value is string => typeof value === "string");
    const pattern = guaranteed.pattern === undefined ? undefined : patternLanguage(guaranteed.pattern);
    const quantity = code === "quantity" ? patternLanguage(QUANTITY) : undefined;
    this.languages = [...(texts ? [oneOf(texts)] : []), ...(pattern ? [pattern] : []), ...(quantity ? [quantity] : [])];
    const lengths = interval(guaranteed.minLength, guaranteed.maxLength, ANY_SIZE);
    this.lengths = code === "string" ? { least: max(lengths.least, some), most: lengths.most } : lengths;
    const sizes = interval(guaranteed.minItems ?? guaranteed.minProperties, guaranteed.maxItems, ANY_SIZE);
    this.sizes = { least: max(sizes.least, some), most: sizes.most };
    const numbers = interval(guaranteed.minimum, guaranteed.maximum, code === "int32" ? INT32 : INT64);
    // Zero at the end of a range is no hole in it.
    this.numbers = dropsZero && numbers.least === 0n ? { least: 1n, most: min(numbers.most, INT64.most) } : numbers;
    this.notZero = dropsZero && code !== "string";
  }

  field(): Shape | undefined {
    return this.values;
  }
  get keys(): Language | undefined {
    const { names } = this.#guaranteed;
    return names === undefined ? undefined : patternLanguage(names);
  }
  get values(): Shape | undefined {
    return this.#type.code === "map" ? this.#elementShape() : undefined;
  }
  get items(): Shape {
    return this.#elementShape() ?? ANYTHING;
  }

  #elementShape(): Shape | undefined {
    const { of } = this.#type;
    if (of === undefined) return undefined;
    const { additionalProperties, items } = this.schema ?? {};
    const isMap = this.#type.code === "map";
    const schema = isMap ? (typeof additionalProperties === "object" ? additionalProperties : undefined) : items;
    const { additionalProperties: values, items: guaranteedItems } = this.#guaranteed;
    this.#element ??= typeShape(of, schema, {
      guaranteed: (isMap ? (typeof values === "object" ? values : undefined) : guaranteedItems) ?? {},
      mayBeNull: NIL.has(of.code),
    });
    return this.#element;
  }
}

/** A struct that a pointer may leave out although it is written. */
class NullableShape implements Shape {
  readonly #shape: Shape;
  readonly kinds: number = KIND.map | KIND.null;
  readonly notZero = false;
  constructor(shape: Shape) {
    this.#shape = shape;
  }
  field(name: string): Shape | undefined {
    return this.#shape.field(name);
  }
  get required(): readonly string[] {
    return this.#shape.required;
  }
  get names(): readonly string[] {
    return this.#shape.names;
  }
  get values(): Shape | undefined {
    return this.#shape.values;
  }
  get items(): Shape {
    return this.#shape.items;
  }
  get languages(): readonly Language[] {
    return this.#shape.languages;
  }
  get lengths(): Interval {
    return this.#shape.lengths;
  }
  get numbers(): Interval {
    return this.#shape.numbers;
  }
  get sizes(): Interval {
    return this.#shape.sizes;
  }
  get schema(): Schema | undefined {
    return this.#shape.schema;
  }
}
