// A coverage report, per resource and in total, with places in the files where expressions were written.

import { gvkOf, nameOf } from "@celadon/kube";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { CoverageCollector, Sighting } from "./collector.ts";
import { type Point, type PointKind, SEEN, type Want, WHOLE } from "./points.ts";
import { resourceKey } from "./resource-key.ts";
import { type CountedExpression, type CoveredKind, countedIn } from "./written.ts";

/** The number of points, and of covered ones. */
export interface CoverageCount {
  readonly points: number;
  readonly covered: number;
}

/** Lines and columns from 1; the end is the column after the last. */
export interface CoveragePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A part of an expression and a result it should have had in some case. */
export interface CoveredPoint {
  readonly kind: PointKind;
  readonly want: Want;
  /** The clause as it is written; the name of a binding. */
  readonly text: string;
  readonly covered: boolean;
  readonly place?: CoveragePlace;
}

/** The coverage of one expression. */
export interface CoveredExpression {
  readonly kind: CoveredKind;
  /** In the resource; of a binding, in itself. */
  readonly path: readonly (string | number)[];
  /** The number of evaluations; of a binding, matched against. */
  readonly count: number;
  readonly points: readonly CoveredPoint[];
}

/** The coverage of one policy, CRD or binding. */
export interface CoveredResource extends CoverageCount {
  readonly kind: string;
  readonly name: string;
  readonly place?: CoveragePlace;
  /** Bindings stand with the policy they bind. */
  readonly expressions: readonly CoveredExpression[];
}

/** The coverage of all resources by cases. */
export interface CoverageReport {
  readonly total: CoverageCount;
  /** Only policies with points to cover, in the order of the manifests. */
  readonly policies: readonly CoveredResource[];
  /** The files that places are in, with their lines. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
}

/** `clusters` are the manifests of one suite each; what several of them share counts once. */
export function coverageReport(
  collector: CoverageCollector,
  clusters: readonly (readonly Manifest[])[],
): CoverageReport {
  const resources = new Map<string, { manifest: Manifest; bindings: Map<string, Manifest> }>();
  for (const manifests of clusters) {
    for (const manifest of manifests) {
      const key = resourceKey(manifest);
      if (COUNTED.has(roleOf(manifest.object)) && !resources.has(key)) {
        resources.set(key, { manifest, bindings: new Map() });
      }
    }
    for (const binding of manifests) {
      const bound = BOUND.get(roleOf(binding.object));
      if (bound === undefined) continue;
      const { policyName } = (binding.object.spec ?? {}) as { policyName?: unknown };
      const policy = manifests.find(({ object }) => roleOf(object) === bound && nameOf(object) === policyName);
      if (policy !== undefined) resources.get(resourceKey(policy))?.bindings.set(resourceKey(binding), binding);
    }
  }
  const policies = [...resources.values()]
    .map(({ manifest, bindings }) => coveredResource(collector, manifest, [...bindings.values()]))
    .filter(({ points }) => points > 0);
  return {
    total: sum(policies),
    policies,
    sources: sourcesOf([...resources.values()].flatMap(({ manifest, bindings }) => [manifest, ...bindings.values()])),
  };
}

const COUNTED: ReadonlySet<string> = new Set([
  "policy",
  "mutatingPolicy",
  "webhooks",
  "definition",
  "certificatePolicy",
]);

/** The role of the resource that a binding binds. */
const BOUND: ReadonlyMap<string, string> = new Map([
  ["binding", "policy"],
  ["mutatingBinding", "mutatingPolicy"],
]);

/** The points of a resource that no case covered. */
export function missedOf({ expressions }: CoveredResource): readonly CoveredPoint[] {
  return expressions.flatMap(({ points }) => points.filter(({ covered }) => !covered));
}

/** Rounded to one decimal, but never up to 100: that means everything. */
export function percentOf({ points, covered }: CoverageCount): number {
  return covered === points ? 100 : Math.min(Math.round((covered * 1000) / points) / 10, 99.9);
}

function sum(counts: readonly CoverageCount[]): CoverageCount {
  const total = (of: keyof CoverageCount): number => counts.reduce((all, count) => all + count[of], 0);
  return { points: total("points"), covered: total("covered") };
}

function coveredResource(
  collector: CoverageCollector,
  manifest: Manifest,
  bindings: readonly Manifest[],
): CoveredResource {
  const key = resourceKey(manifest);
  const expressions = [
    ...countedIn(manifest).map((expression) =>
      coveredExpression(expression, collector.find(key, expression.path), manifest),
    ),
    ...bindings.map((binding) => coveredBinding(binding, collector.find(resourceKey(binding), []))),
  ];
  const counts = expressions.map(({ points }) => ({
    points: points.length,
    covered: points.filter(({ covered }) => covered).length,
  }));
  const place = placeOf(manifest, ["metadata", "name"], nameOf(manifest.object).length);
  return {
    kind: gvkOf(manifest.object).kind,
    name: nameOf(manifest.object),
    ...(place && { place }),
    ...sum(counts),
    expressions,
  };
}

function coveredExpression(
  { kind, path, text, points }: CountedExpression,
  sighting: Sighting | undefined,
  manifest: Manifest,
): CoveredExpression {
  const covered = points.map((point): CoveredPoint => {
    const { range, want } = point;
    const place = placeIn(manifest, path, point);
    return {
      kind: point.kind,
      want,
      text: text.slice(range.start, range.end).trim(),
      covered: ((sighting?.seen.get(point.at) ?? 0) & point.mask) !== 0,
      ...(place && { place }),
    };
  });
  return { kind, path, count: sighting?.count ?? 0, points: covered };
}

/** A binding without its own constraints excludes nothing. */
function coveredBinding(manifest: Manifest, sighting: Sighting | undefined): CoveredExpression {
  const name = nameOf(manifest.object);
  const { matchResources } = (manifest.object.spec ?? {}) as { matchResources?: Readonly<Record<string, unknown>> };
  const refuses = Object.values(matchResources ?? {}).some(
    (value) => typeof value === "object" && value !== null && Object.keys(value).length > 0,
  );
  const seen = sighting?.seen.get(WHOLE) ?? 0;
  const place = placeOf(manifest, ["metadata", "name"], name.length);
  const point = (want: Want, mask: number): CoveredPoint => ({
    kind: "binding",
    want,
    text: name,
    covered: (seen & mask) !== 0,
    ...(place && { place }),
  });
  const points = [point("matched", SEEN.true), ...(refuses ? [point("refused", SEEN.false)] : [])];
  return { kind: "binding", path: [], count: sighting?.count ?? 0, points };
}

function placeIn(manifest: Manifest, path: readonly (string | number)[], { range }: Point): CoveragePlace | undefined {
  const { start, end } = range;
  const from = manifest.origin?.positionIn(path, start);
  const last = manifest.origin?.positionIn(path, Math.max(start, end - 1));
  if (from === undefined || last === undefined) return placeOf(manifest, path, 1);
  const { file, line, column } = from;
  return { file, line, column, endLine: last.line, endColumn: last.column + 1 };
}

function placeOf({ origin }: Manifest, path: readonly (string | number)[], length: number): CoveragePlace | undefined {
  const found = origin?.positionOf(path) ?? origin?.positionOf([]);
  if (found === undefined) return undefined;
  const { file, line, column } = found;
  return { file, line, column, endLine: line, endColumn: column + length };
}

function sourcesOf(manifests: readonly Manifest[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  for (const { origin } of manifests) {
    if (origin === undefined || sources.has(origin.file)) continue;
    const lines: string[] = [];
    for (let text = origin.lineText(1); text !== undefined; text = origin.lineText(lines.length + 1)) lines.push(text);
    sources.set(origin.file, lines);
  }
  return sources;
}
