// The causes of a large estimate, and remedies: the fields that the estimate multiplies, and for each the largest limit with which the
// rules would be accepted. Beyond what Kubernetes tells.

import { type FieldPath, fieldPath } from "@celadon/kube/errors";
import { StaticEstimatedCostLimit, StaticEstimatedCRDCostLimit } from "@celadon/kube-cel";
import { isEmbedded, type JsonSchema, propertiesOf, rulesOf, valuesOf } from "../schema/json-schema.ts";
import { compileRules, type RuleOptions } from "./compile-rules.ts";
import { declaredAlone } from "./declared.ts";
import {
  type Ancestor,
  type Bounds,
  Estimation,
  largestThat,
  NO_BOUNDS,
  type SizeKeyword,
  sizeKeyword,
} from "./estimation.ts";
import { suggestLimits } from "./suggest-limits.ts";

export type { SizeKeyword } from "./estimation.ts";

/** A field without a limit that makes rules cost more. */
export interface UnboundedField {
  /** Its schema. */
  readonly path: FieldPath;
  readonly keyword: SizeKeyword;
  /** The largest limit that is enough when every other field stays as it is; undefined when none is. */
  readonly largest: number | undefined;
}

/** A field whose limit is large. */
export interface BoundedField extends UnboundedField {
  /** The limit it has. */
  readonly limit: number;
}

/** A limit that would help, alone or with those beside it. */
export interface SuggestedLimit {
  /** The schema of the field. */
  readonly path: FieldPath;
  readonly keyword: SizeKeyword;
  readonly limit: number;
}

/** An expression, and its greatest cost. */
export interface ExpressionCost {
  /** The expression's path in the schema: `….x-kubernetes-validations[0].rule` */
  readonly path: FieldPath;
  readonly expression: string;
  /** One evaluation, how often it may be evaluated, and both together. */
  readonly cost: bigint;
  readonly cardinality: bigint;
  readonly total: bigint;
}

/**
 * An expression that may cost too much; or all of a schema's together, where each alone is within its limit: then `path` is
 * the schema's, `expression` is empty, and `contributors` has the expressions.
 */
export interface CostExplanation extends ExpressionCost {
  readonly limit: number;
  /** The fields without limit, the most expensive first. */
  readonly unbounded: readonly UnboundedField[];
  readonly bounded: readonly BoundedField[];
  /** The largest limit that is enough when every unbounded field has it. */
  readonly together: number | undefined;
  /** Limits that would do and that people could accept, round ones; empty when none are known. */
  readonly suggested: readonly SuggestedLimit[];
  /** The expressions that cost the most, at most ten, the largest first; empty for a single expression. */
  readonly contributors: readonly ExpressionCost[];
}

/** Explains each expression of a schema that an API server would reject because of its estimated cost, or else their sum. */
export function explainCosts(
  schema: JsonSchema,
  path: FieldPath = fieldPath("spec", "validation", "openAPIV3Schema"),
  options: RuleOptions = {},
): CostExplanation[] {
  const expressions: Expression[] = [];
  walk(schema, path, [], { root: schema, found: expressions, options });
  const single = expressions.filter(({ total }) => total > StaticEstimatedCostLimit).map(explainOne);
  return single.length > 0 ? single : explainAll(path, expressions);
}

/** Every expression of a schema, and its greatest cost. */
export function expressionCosts(
  schema: JsonSchema,
  path: FieldPath = fieldPath("spec", "validation", "openAPIV3Schema"),
  options: RuleOptions = {},
): ExpressionCost[] {
  const expressions: Expression[] = [];
  walk(schema, path, [], { root: schema, found: expressions, options });
  return expressions.map(shown);
}

interface Expression extends ExpressionCost {
  readonly estimation: Estimation;
}

interface Collection {
  readonly root: JsonSchema;
  readonly found: Expression[];
  readonly options: RuleOptions;
}

function walk(schema: JsonSchema, path: FieldPath, ancestors: readonly Ancestor[], into: Collection): void {
  if (rulesOf(schema).length > 0) collect(schema, path, ancestors, into);
  for (const [name, property] of propertiesOf(schema))
    walk(property, path.child("properties").key(name), ancestors, into);
  const below = [...ancestors, { schema, path }];
  const values = valuesOf(schema);
  if (values) walk(values, path.child("additionalProperties"), below, into);
  if (schema.items) walk(schema.items, path.child("items"), below, into);
}

function collect(schema: JsonSchema, path: FieldPath, ancestors: readonly Ancestor[], into: Collection): void {
  const resource = isEmbedded(schema) || schema === into.root;
  const declared = declaredAlone(schema, resource);
  const node = declared && compileRules(schema, declared, into.options);
  node?.rules.forEach(({ estimate, estimateMessage, rule }, i) => {
    const here = path.child("x-kubernetes-validations").index(i);
    const add = (estimation: Estimation, name: string, expression: string): void => {
      const cost = estimation.cost(NO_BOUNDS);
      const cardinality = estimation.cardinality(NO_BOUNDS);
      const total = estimation.total(NO_BOUNDS);
      into.found.push({ path: here.child(name), expression, cost, cardinality, total, estimation });
    };
    if (estimate) add(new Estimation(estimate, schema, path, node.type, ancestors), "rule", rule.rule);
    if (estimateMessage) {
      const estimation = new Estimation(estimateMessage, schema, path, node.type, undefined);
      add(estimation, "messageExpression", rule.messageExpression ?? "");
    }
  });
}

function explainOne(expression: Expression): CostExplanation {
  const limit = StaticEstimatedCostLimit;
  return { ...shown(expression), limit, ...blame([expression], limit), contributors: [] };
}

const MOST_SHOWN = 10;

function explainAll(path: FieldPath, expressions: readonly Expression[]): CostExplanation[] {
  const limit = StaticEstimatedCRDCostLimit;
  const total = sum(expressions.map((expression) => expression.total));
  if (total <= limit) return [];
  const contributors = [...expressions].sort((a, b) => descending(a.total, b.total)).slice(0, MOST_SHOWN);
  return [
    {
      path,
      expression: "",
      cost: total,
      cardinality: 1n,
      total,
      limit,
      ...blame(expressions, limit),
      contributors: contributors.map(shown),
    },
  ];
}

function shown({ path, expression, cost, cardinality, total }: Expression): ExpressionCost {
  return { path, expression, cost, cardinality, total };
}

/** A field, and the expressions whose cost depends on it. */
interface Blamed {
  readonly schema: JsonSchema;
  readonly path: FieldPath;
  readonly users: Expression[];
}

/** A field that may get a limit. */
interface Candidate extends UnboundedField {
  readonly schema: JsonSchema;
}

/** Fields that make these expressions cost more than the limit together. */
function blame(
  expressions: readonly Expression[],
  limit: number,
): Pick<CostExplanation, "unbounded" | "bounded" | "together" | "suggested"> {
  const fields = new Map<JsonSchema, Blamed>();
  for (const expression of expressions) {
    for (const [schema, path] of expression.estimation.fields()) {
      const known = fields.get(schema);
      if (known) known.users.push(expression);
      else fields.set(schema, { schema, path, users: [expression] });
    }
  }
  const all = sum(expressions.map(({ total }) => total));
  const now = (users: readonly Expression[]): bigint => sum(users.map(({ total }) => total));
  const under = (users: readonly Expression[], bounds: Bounds): bigint =>
    sum(users.map(({ estimation }) => estimation.total(bounds)));
  const largest = ({ schema, users }: Blamed): number | undefined => {
    const others = all - now(users);
    // The others alone cost too much already.
    if (others > limit) return undefined;
    return largestThat((n) => others + under(users, new Map([[schema, n]])) <= limit);
  };
  const ordered = [...fields.values()]
    .map((field) => ({ field, saved: now(field.users) - under(field.users, new Map([[field.schema, 1]])) }))
    // A cost that is beyond counting looks the same with one limit more.
    .filter(({ field, saved }) => saved > 0n || field.schema[sizeKeyword(field.schema)!] === undefined)
    .sort((a, b) => descending(a.saved, b.saved))
    .map(({ field }) => field);
  const unbounded: UnboundedField[] = [];
  const bounded: BoundedField[] = [];
  const open: JsonSchema[] = [];
  for (const field of ordered) {
    const keyword = sizeKeyword(field.schema)!;
    const has = field.schema[keyword];
    const made = { path: field.path, keyword, largest: largest(field) };
    if (has !== undefined) bounded.push({ ...made, limit: has });
    else {
      unbounded.push(made);
      open.push(field.schema);
    }
  }
  const together =
    open.length === 0
      ? undefined
      : largestThat((n) => under(expressions, new Map(open.map((schema) => [schema, n]))) <= limit);
  const fits = (limits: ReadonlyMap<Candidate, number>): boolean =>
    under(expressions, new Map([...limits].map(([{ schema }, limit]) => [schema, limit]))) <= limit;
  const candidates = unbounded.map((field, i): Candidate => ({ ...field, schema: open[i]! }));
  const limits = suggestLimits(candidates, fits);
  const suggested = [...limits].map(([{ path, keyword }, most]) => ({ path, keyword, limit: most }));
  return { unbounded, bounded, together, suggested };
}

function sum(costs: readonly bigint[]): bigint {
  return costs.reduce((total, cost) => total + cost, 0n);
}

function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}
