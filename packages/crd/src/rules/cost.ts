// Estimated costs of rules: the limits of one rule and of a whole schema, and the errors when they are exceeded.
// Upstream: apiextensions-apiserver pkg/apis/apiextensions/validation/cel_validation.go.

import { MAX } from "@celadon/cel/cost";
import { type FieldError, type FieldPath, forbiddenField } from "@celadon/kube/errors";
import { StaticEstimatedCRDCostLimit } from "@celadon/kube-cel";

/** The number of values of a node; undefined when something above it has no limit. */
export type Cardinality = bigint | undefined;

export function multiplySaturating(a: bigint, b: bigint): bigint {
  const product = a * b;
  return saturated(product);
}

const saturated = (cost: bigint): bigint => (cost < MAX ? cost : MAX);

/** `estimated rule cost exceeds budget by factor of 1.5x (…)` */
export function costExceeded(what: string, cost: bigint, limit: number): string {
  const factor = Number(cost) / limit;
  const shown = factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const hint =
    "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
  return `${what} exceeds budget by factor of ${shown} (${hint})`;
}

export function overLimit(path: FieldPath, detail: string): FieldError {
  return { ...forbiddenField(path, detail), code: "cost_over_limit" };
}

const MOST_SHOWN = 4;

/** The sum over all rules of a schema, and the rules that are most of it. */
export class TotalCost {
  total = 0n;
  private mostExpensive: { readonly path: FieldPath; readonly cost: bigint }[] = [];

  observe(path: FieldPath, cost: bigint): void {
    this.total = saturated(this.total + cost);
    if (cost < StaticEstimatedCRDCostLimit / 100) return;
    this.mostExpensive.push({ path, cost });
    this.mostExpensive.sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
    this.mostExpensive.length = Math.min(this.mostExpensive.length, MOST_SHOWN);
  }

  errors(schemaPath: FieldPath): FieldError[] {
    if (this.total <= StaticEstimatedCRDCostLimit) return [];
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.mostExpensive.map(({ path }) => overLimit(path, contributed)),
      overLimit(schemaPath, costExceeded(what, this.total, StaticEstimatedCRDCostLimit)),
    ];
  }
}
