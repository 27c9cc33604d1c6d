// Expressions that cost more or less with a newer version: measured on the objects of the inputs, or estimated where the server does so.

import type { Minor } from "@celadon/kube-cel";
import { type CostRow, estimateTotal } from "@celadon/lint/costs";
import { subjectOf } from "../../outcome/names.ts";
import type { VersionChange } from "./change.ts";
import { courseOf } from "./version-course.ts";

/** `rows` are those of `minors`, oldest first. */
export function costChanges(minors: readonly Minor[], rows: readonly (readonly CostRow[])[]): readonly VersionChange[] {
  const byExpression = new Map<string, (CostRow | undefined)[]>();
  const names = new Map<CostRow["manifest"], number>();
  for (const [i, ofMinor] of rows.entries()) {
    for (const row of ofMinor) {
      if (row.expression === "") continue;
      if (!names.has(row.manifest)) names.set(row.manifest, names.size);
      const key = JSON.stringify([names.get(row.manifest), row.path]);
      const found = byExpression.get(key) ?? minors.map(() => undefined);
      found[i] = row;
      byExpression.set(key, found);
    }
  }
  return [...byExpression.values()].flatMap((found) => costChange(minors, found) ?? []);
}

function costChange(minors: readonly Minor[], rows: readonly (CostRow | undefined)[]): VersionChange | undefined {
  const row = rows.findLast((found) => found !== undefined)!;
  for (const { what, costOf, limitOf } of COSTS) {
    const known = rows.flatMap((found, i) => {
      const cost = found && costOf(found);
      return cost === undefined ? [] : [{ minor: minors[i]!, cost }];
    });
    if (known.length < 2) continue;
    const course = courseOf(
      known.map(({ minor }) => minor),
      known.map(({ cost }) => cost),
    );
    if (course === undefined) continue;
    const { was, now, since, until } = course;
    return {
      change: now > was ? "costlier" : "cheaper",
      manifest: row.manifest,
      subject: subjectOf(row.manifest.object),
      since,
      ...(until !== undefined && { until }),
      message: `${row.what}: ${what}`,
      path: row.path,
      was: Number(was),
      now: Number(now),
      ...(Number(now) < limitOf(row) * NOTABLE && { isMinor: true as const }),
    };
  }
  return undefined;
}

/** Below this share of its limit, the cost of an expression is no concern. */
const NOTABLE = 0.1;

interface ComparedCost {
  readonly what: string;
  limitOf(row: CostRow): number;
  costOf(row: CostRow): bigint | undefined;
}

const COSTS: readonly ComparedCost[] = [
  {
    what: "the greatest cost on an object",
    limitOf: ({ limit }) => limit,
    costOf: ({ measured }) => measured && BigInt(measured.max),
  },
  {
    what: "the estimated cost",
    limitOf: ({ estimate, limit }) => estimate?.limit ?? limit,
    costOf: ({ estimate }) => (estimate?.limit === undefined ? undefined : estimateTotal(estimate)),
  },
];
