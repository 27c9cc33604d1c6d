// The report as a JSON document: celadon.dev/v1, kind CoverageReport. Documented in docs/reference/coverage.md.

import {
  type CoverageCount,
  type CoverageReport,
  type CoveredExpression,
  type CoveredResource,
  percentOf,
} from "./report.ts";

/** Coverage as JSON, without sources. */
export function coverageDocument({ total, policies }: CoverageReport): Readonly<Record<string, unknown>> {
  return {
    apiVersion: "celadon.dev/v1",
    kind: "CoverageReport",
    total: countJson(total),
    policies: policies.map(resourceJson),
  };
}

function countJson({ points, covered }: CoverageCount): Readonly<Record<string, number>> {
  return { points, covered, percent: percentOf({ points, covered }) };
}

function resourceJson(resource: CoveredResource): Readonly<Record<string, unknown>> {
  const { kind, name, place, expressions } = resource;
  return {
    kind,
    name,
    ...(place && { file: place.file, line: place.line, column: place.column }),
    ...countJson(resource),
    expressions: expressions.map(expressionJson),
  };
}

function expressionJson({ kind, path, count, points }: CoveredExpression): Readonly<Record<string, unknown>> {
  return { kind, path, evaluations: count, points };
}
