// Which expressions were evaluated at all: what an editor shows beside each.

import type { CoverageCollector } from "./collector.ts";
import { ownerOf } from "./resource-key.ts";

/** An evaluated expression, by its place. */
export interface EvaluatedExpression {
  readonly kind: string;
  /** Of the resource. */
  readonly name: string;
  /** Steps to the expression, joined by "/"; empty for a binding. */
  readonly path: string;
}

/** The expressions and bindings that were evaluated while the collector observed. */
export function evaluatedIn(collector: CoverageCollector): readonly EvaluatedExpression[] {
  return Object.entries(collector.toJSON()).flatMap(([resource, places]) =>
    Object.keys(places).map((path) => ({ ...ownerOf(resource), path })),
  );
}
