// Why a rule may cost too much, and what would help: the fields without a limit that the estimate multiplies, and for each the
// largest limit with which the rule would be accepted. Beyond what Kubernetes tells.

import type { SizeEstimator } from "@celadon/cel";
import { range } from "@celadon/cel/extend";
import { type FieldPath, fieldPath } from "@celadon/kube";
import { StaticEstimatedCostLimit } from "@celadon/kube-cel";
import { createSizeEstimator, type DeclType, unescapeName } from "@celadon/kube-cel/schema";
import {
  isEmbedded,
  isIntOrString,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  rulesOf,
  valuesOf,
} from "../schema/json-schema.ts";
import { compileRules, type Estimate, maxCardinality } from "./compile-rules.ts";
import { multiplySaturating } from "./cost.ts";

export type SizeKeyword = "maxItems" | "maxLength" | "maxProperties";

/** A field without a limit that makes a rule cost more. */
export interface UnboundedField {
  /** Its schema. */
  readonly path: string;
  readonly keyword: SizeKeyword;
  /** The largest limit that is enough when every other field stays as it is; undefined when none is. */
  readonly largest: number | undefined;
}

export interface CostExplanation {
  /** The expression's path in the schema: `….x-kubernetes-validations[0].rule` */
  readonly path: string;
  readonly expression: string;
  /** One evaluation, how often it may be evaluated, and both together. */
  readonly cost: bigint;
  readonly cardinality: bigint;
  readonly total: bigint;
  readonly limit: number;
  readonly unbounded: readonly UnboundedField[];
  /** The largest limit that is enough when every one of these fields has it. */
  readonly together: number | undefined;
}

/** Explains every expression of a schema that an API server would refuse for what it may cost. */
export function explainCosts(
  schema: JsonSchema,
  path: FieldPath = fieldPath("spec", "validation", "openAPIV3Schema"),
): CostExplanation[] {
  const found: CostExplanation[] = [];
  walk(schema, path, [], found);
  return found;
}

/** A list or map above a rule. */
interface Ancestor {
  readonly schema: JsonSchema;
  readonly path: FieldPath;
}

function walk(schema: JsonSchema, path: FieldPath, ancestors: readonly Ancestor[], found: CostExplanation[]): void {
  if (rulesOf(schema).length > 0) found.push(...explainNode(schema, path, ancestors));
  for (const [name, property] of propertiesOf(schema))
    walk(property, path.child("properties").key(name), ancestors, found);
  const below = [...ancestors, { schema, path }];
  const values = valuesOf(schema);
  if (values) walk(values, path.child("additionalProperties"), below, found);
  if (schema.items) walk(schema.items, path.child("items"), below, found);
}

function explainNode(schema: JsonSchema, path: FieldPath, ancestors: readonly Ancestor[]): CostExplanation[] {
  const resource = isEmbedded(schema) || path.toString().endsWith("openAPIV3Schema");
  const node = compileRules(schema, resource);
  if (node === undefined) return [];
  const { type } = node;
  return node.rules.flatMap((compiled, i) => {
    const here = path.child("x-kubernetes-validations").index(i);
    const { estimate, estimateMessage, rule } = compiled;
    const found: CostExplanation[] = [];
    const rules =
      estimate && new Estimation(estimate, schema, path, type, ancestors).explain(here.child("rule"), rule.rule);
    if (rules) found.push(rules);
    const messages =
      estimateMessage &&
      new Estimation(estimateMessage, schema, path, type, undefined).explain(
        here.child("messageExpression"),
        rule.messageExpression ?? "",
      );
    if (messages) found.push(messages);
    return found;
  });
}

/** Limits that are tried, by schema. */
type Bounds = ReadonlyMap<JsonSchema, number>;

const NO_BOUNDS: Bounds = new Map();

class Estimation {
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

  /** Undefined for an expression that is within the limit. */
  explain(path: FieldPath, expression: string): CostExplanation | undefined {
    const total = this.total(NO_BOUNDS);
    const limit = StaticEstimatedCostLimit;
    if (total <= limit) return undefined;
    const candidates = this.candidates();
    const schemas = [...candidates.keys()];
    const unbounded = schemas.map((schema) => ({
      path: candidates.get(schema)!.toString(),
      keyword: sizeKeyword(schema)!,
      largest: this.largest([schema]),
    }));
    const together = schemas.length === 0 ? undefined : this.largest(schemas);
    const cost = this.cost(NO_BOUNDS);
    return {
      path: path.toString(),
      expression,
      cost,
      cardinality: this.cardinality(NO_BOUNDS),
      total,
      limit,
      unbounded,
      together,
    };
  }

  private total(bounds: Bounds): bigint {
    return multiplySaturating(this.cost(bounds), this.cardinality(bounds));
  }

  private cost(bounds: Bounds): bigint {
    return this.estimate(this.sizes(bounds));
  }

  private cardinality(bounds: Bounds): bigint {
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

  /** Where a path of the estimate leads in the schema. */
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

  /** Fields without a limit that the estimate looks at, and lists and maps without one above the rule. */
  private candidates(): Map<JsonSchema, FieldPath> {
    const found = new Map<JsonSchema, FieldPath>();
    const consider = (schema: JsonSchema, path: FieldPath): void => {
      const keyword = sizeKeyword(schema);
      if (keyword !== undefined && schema[keyword] === undefined && !isFixedSize(schema)) found.set(schema, path);
    };
    for (const { schema, path } of this.ancestors ?? []) consider(schema, path);
    this.estimate(this.sizes(NO_BOUNDS, consider));
    return found;
  }

  /** The largest limit for all of these with which the expression is accepted. */
  private largest(schemas: readonly JsonSchema[]): number | undefined {
    const fits = (n: number): boolean =>
      this.total(new Map(schemas.map((schema) => [schema, n]))) <= StaticEstimatedCostLimit;
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

function sizeKeyword(schema: JsonSchema): SizeKeyword | undefined {
  if (isIntOrString(schema) || schema.type === "string") return "maxLength";
  if (schema.type === "array") return "maxItems";
  return schema.type === "object" && schema.additionalProperties !== undefined ? "maxProperties" : undefined;
}

/** Formats with a size of their own, and texts that are listed. */
function isFixedSize({ type, format, enum: entries }: JsonSchema): boolean {
  return (
    type === "string" && (format === "duration" || format === "date" || format === "date-time" || entries !== undefined)
  );
}

/** A character is taken for four bytes, except in encoded bytes. */
function bytesPer(schema: JsonSchema): number {
  return sizeKeyword(schema) === "maxLength" && schema.format !== "byte" ? 4 : 1;
}
