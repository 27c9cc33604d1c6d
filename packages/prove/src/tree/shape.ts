// The facts about a place in a request before any decision: kinds of values, members, ranges. A shape admits every value that a policy may
// see there, and perhaps more: a proof relies on everything it leaves out.

import type { Schema } from "@celadon/kube/schemas";
import { INT64, type Interval, max, min } from "../number/solver.ts";
import { type Language, oneOf } from "../text/language.ts";
import { patternLanguage } from "../text/pattern.ts";
import { ANY_KIND, KIND } from "./node.ts";

/** Lists and maps of one request end here: a request has at most 3 MiB. */
export const MOST_ITEMS = 1_572_864n;
export const ANY_SIZE: Interval = { least: 0n, most: MOST_ITEMS };

export interface Shape {
  readonly kinds: number;
  /** The shape of a member; undefined when there never is one. */
  field(name: string): Shape | undefined;
  /** Members that every such object has. */
  readonly required: readonly string[];
  /** Members that have a name of their own. */
  readonly names: readonly string[];
  /** The shape of members without a name of their own; undefined if none are allowed. */
  readonly values: Shape | undefined;
  /** The names that members without a name of their own have. */
  readonly keys?: Language | undefined;
  readonly items: Shape;
  readonly languages: readonly Language[];
  readonly lengths: Interval;
  readonly numbers: Interval;
  readonly sizes: Interval;
  /** Zero, and false, are left out instead of written. */
  readonly notZero: boolean;
  readonly schema: Schema | undefined;
}

class Anything implements Shape {
  readonly kinds: number;
  readonly required = [];
  readonly names = [];
  readonly languages = [];
  readonly lengths = ANY_SIZE;
  readonly numbers = INT64;
  readonly sizes = ANY_SIZE;
  readonly notZero = false;
  readonly schema = undefined;

  constructor(kinds: number) {
    this.kinds = kinds;
  }
  field(): Shape {
    return ANYTHING;
  }
  get values(): Shape {
    return ANYTHING;
  }
  get items(): Shape {
    return ANYTHING;
  }
}

/** Any JSON value. */
export const ANYTHING: Shape = new Anything(ANY_KIND);
export const ANY_OBJECT: Shape = new Anything(KIND.map);
export const ANY_TEXT: Shape = new Anything(KIND.text);

const shapes = new WeakMap<Schema, Shape>();

/** The shape of data that a structural schema admits and prunes. */
export function schemaShape(schema: Schema): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) shapes.set(schema, (shape = new SchemaShape(schema)));
  return shape;
}

class SchemaShape implements Shape {
  readonly schema: Schema;
  readonly kinds: number;
  readonly required: readonly string[];
  readonly names: readonly string[];
  readonly notZero = false;
  readonly #fields = new Map<string, Shape | undefined>();
  #languages: readonly Language[] | undefined;
  #items: Shape | undefined;
  #values: { readonly shape: Shape | undefined } | undefined;

  constructor(schema: Schema) {
    this.schema = schema;
    this.kinds = kindsOf(schema);
    this.names = [...(schema.properties?.keys() ?? [])];
    const defaulted = this.names.filter((name) => hasDefault(schema.properties?.get(name)));
    this.required = [...new Set([...(schema.required ?? []), ...defaulted])];
  }

  field(name: string): Shape | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const property = this.schema.properties?.get(name);
    const shape = property === undefined ? this.values : schemaShape(property);
    this.#fields.set(name, shape);
    return shape;
  }

  get values(): Shape | undefined {
    this.#values ??= { shape: this.#further() };
    return this.#values.shape;
  }

  #further(): Shape | undefined {
    const { additionalProperties, preserveUnknownFields, embeddedResource } = this.schema;
    if (typeof additionalProperties === "object") return schemaShape(additionalProperties);
    const open = additionalProperties === true || preserveUnknownFields === true || embeddedResource === true;
    return open ? ANYTHING : undefined;
  }

  get items(): Shape {
    const { items } = this.schema;
    this.#items ??= items === undefined ? ANYTHING : schemaShape(items);
    return this.#items;
  }

  get languages(): readonly Language[] {
    if (this.#languages === undefined) {
      const { pattern, enum: values } = this.schema;
      const found = pattern === undefined ? undefined : patternLanguage(pattern);
      const texts = values?.filter((value): value is string => typeof value === "string");
      this.#languages = [...(found ? [found] : []), ...(texts !== undefined ? [oneOf(texts)] : [])];
    }
    return this.#languages;
  }

  get lengths(): Interval {
    const { minLength, maxLength } = this.schema;
    return interval(minLength, maxLength, ANY_SIZE);
  }

  get numbers(): Interval {
    const { minimum, maximum, exclusiveMaximum, exclusiveMinimum, format } = this.schema;
    const beyond = (limit: number, exclusive: boolean | undefined): number =>
      exclusive === true && Number.isInteger(limit) ? 1 : 0;
    const low = minimum === undefined ? undefined : Math.ceil(minimum) + beyond(minimum, exclusiveMinimum);
    const high = maximum === undefined ? undefined : Math.floor(maximum) - beyond(maximum, exclusiveMaximum);
    return interval(low, high, format === "int32" ? INT32 : INT64);
  }

  get sizes(): Interval {
    const { minItems, maxItems, minProperties, maxProperties, type } = this.schema;
    return type === "array" ? interval(minItems, maxItems, ANY_SIZE) : interval(minProperties, maxProperties, ANY_SIZE);
  }
}

export const INT32: Interval = { least: -(2n ** 31n), most: 2n ** 31n - 1n };

/** Limits beyond what numbers hold exactly are left out: a wider range is always right. */
export function interval(least: number | undefined, most: number | undefined, outer: Interval): Interval {
  const low = least !== undefined && Number.isSafeInteger(least) ? BigInt(least) : outer.least;
  const high = most !== undefined && Number.isSafeInteger(most) ? BigInt(most) : outer.most;
  return { least: max(low, outer.least), most: min(high, outer.most) };
}

function hasDefault(schema: Schema | undefined): boolean {
  return schema?.default !== undefined && schema.default !== null;
}

function kindsOf(schema: Schema): number {
  const { type, format, intOrString, nullable } = schema;
  const extra = nullable === true ? KIND.null : 0;
  if (intOrString || format === "int-or-string") return KIND.int | KIND.text | extra;
  switch (type) {
    case "object":
      return KIND.map | extra;
    case "array":
      return KIND.list | extra;
    case "string":
      return KIND.text | extra;
    case "boolean":
      return KIND.bool | extra;
    case "integer":
      return KIND.int | extra;
    case "number":
      return KIND.int | KIND.double | extra;
    default:
      return ANY_KIND;
  }
}
