// The cost of an expression of a schema if fields were limited otherwise.

import type { SizeEstimator } from "@celadon/cel/cost";
import { range } from "@celadon/cel/cost";
import type { FieldPath } from "@celadon/kube/errors";
import { createSizeEstimator, type DeclType, unescapeName } from "@celadon/kube-cel/schema";
import { isIntOrString, type JsonSchema, propertyOf, valuesOf } from "../schema/json-schema.ts";
import { type Estimate, maxCardinality } from "./compile-rules.ts";
import { multiplySaturating } from "./cost.ts";

/** A keyword that limits how large a value may be. */
export type SizeKeyword = "maxItems" | "maxLength" | "maxProperties";

/** A list or map above a rule. */
export interface Ancestor {
  readonly schema: JsonSchema;
  readonly path: FieldPath;
}

/** Limits that are tried, by schema. */
export type Bounds = ReadonlyMap<JsonSchema, number>;

export const NO_BOUNDS: Bounds = new Map();

/** The greatest cost of one expression, under limits that are tried. */
export class Estimation {
  private readonly estimate: Estimate;
  private readonly schema: JsonSchema;
  private readonly path: FieldPath;
  private readonly type: DeclType;
  /** Undefined for messages, which count once. */
  private readonly ancestors: readonly Ancestor[] | undefined;

  constructor(
    estimate: Estimate,
    schema: JsonSchema,
    path: FieldPath,
    type: DeclType,
    ancestors: readonly Ancestor[] | undefined,
  ) {
    this.estimate = estimate;
    this.schema = schema;
    this.path = path;
    this.type = type;
    this.ancestors = ancestors;
  }

  total(bounds: Bounds): bigint {
    return multiplySaturating(this.cost(bounds), this.cardinality(bounds));
  }

  cost(bounds: Bounds): bigint {
    return this.estimate(this.sizes(bounds));
  }

  cardinality(bounds: Bounds): bigint {
    if (this.ancestors === undefined) return 1n;
    let product = 1n;
    for (const { schema } of this.ancestors) {
      const keyword = sizeKeyword(schema);
      const limit = bounds.get(schema) ?? (keyword && schema[keyword]);
      if (limit === undefined) return maxCardinality(this.type);
      product = multiplySaturating(product, BigInt(Math.max(0, limit)));
    }
    return product;
  }

  private sizes(bounds: Bounds, asked?: (schema: JsonSchema, path: FieldPath) => void): SizeEstimator {
    const declared = createSizeEstimator(this.type);
    return {
      size: (node) => {
        const place = this.place(node.path);
        if (place) asked?.(place.schema, place.path);
        const bound = place && bounds.get(place.schema);
        return bound === undefined ? declared.size(node) : range(0, bound * bytesPer(place!.schema));
      },
    };
  }

  /** Finds the schema to which a path of the estimate leads. */
  private place(steps: readonly string[]): Ancestor | undefined {
    if (steps.length === 0) return undefined;
    let place: Ancestor = { schema: this.schema, path: this.path };
    for (const step of steps.slice(1)) {
      const next = stepInto(place, step);
      if (next === undefined) return undefined;
      place = next;
    }
    return place;
  }

  /** Fields with a size that the estimate looks at, and lists and maps above the rule. */
  fields(): Map<JsonSchema, FieldPath> {
    const found = new Map<JsonSchema, FieldPath>();
    const consider = (schema: JsonSchema, path: FieldPath): void => {
      if (sizeKeyword(schema) !== undefined && !isFixedSize(schema)) found.set(schema, path);
    };
    for (const { schema, path } of this.ancestors ?? []) consider(schema, path);
    this.estimate(this.sizes(NO_BOUNDS, consider));
    return found;
  }
}

/** The largest limit that passes a test which every smaller one passes; undefined when none does. */
export function largestThat(fits: (limit: number) => boolean): number | undefined {
  if (!fits(1)) return undefined;
  let low = 1;
  let high = 2;
  while (high < LARGEST && fits(high)) {
    low = high;
    high *= 2;
  }
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** No request holds more. */
const LARGEST = 4 * 1024 * 1024;

function stepInto({ schema, path }: Ancestor, step: string): Ancestor | undefined {
  if (step === "@items" || step === "@values") {
    const child = schema.items ?? valuesOf(schema);
    return child && { schema: child, path: path.child(schema.items ? "items" : "additionalProperties") };
  }
  const name = unescapeName(step);
  const property = name === undefined ? undefined : propertyOf(schema, name);
  return property && { schema: property, path: path.child("properties").key(name!) };
}

export function sizeKeyword(schema: JsonSchema): SizeKeyword | undefined {
  if (isIntOrString(schema) || schema.type === "string") return "maxLength";
  if (schema.type === "array") return "maxItems";
  return schema.type === "object" && schema.additionalProperties !== undefined ? "maxProperties" : undefined;
}

/** Formats with their own size, and texts that are listed. */
function isFixedSize({ type, format, enum: entries }: JsonSchema): boolean {
  return (
    type === "string" && (format === "duration" || format === "date" || format === "date-time" || entries !== undefined)
  );
}

/** A character counts as four bytes, except in encoded bytes. */
function bytesPer(schema: JsonSchema): number {
  return sizeKeyword(schema) === "maxLength" && schema.format !== "byte" ? 4 : 1;
}
