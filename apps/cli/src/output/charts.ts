// Charts of denials for pages, counted from the rows of a report: an object counts once for each policy and namespace.

import type { Chart, ChartBar, ChartSeries, ReportRow, Subject } from "./answer.ts";

/** Denied and warned objects. */
type Counts = [denied: number, warned: number];

const SERIES: readonly ChartSeries[] = [
  { name: "denied", tone: "bad" },
  { name: "with warnings", tone: "warn" },
];

export const CLUSTER_SCOPED = "(cluster-scoped)";

/** Denials by policy and by namespace. */
export function denialCharts(rows: Iterable<ReportRow>): readonly Chart[] {
  const byPolicy = new Map<string, Counts>();
  const byNamespace = new Map<string, Counts>();
  for (const [subject, own] of bySubject(rows)) {
    const policies = new Map<string, boolean>();
    for (const row of own) {
      const name = sourceOf(row);
      policies.set(name, isDenial(row) || policies.get(name) === true);
    }
    for (const [policy, isDenied] of policies) count(byPolicy, policy, isDenied);
    count(byNamespace, subject.namespace ?? CLUSTER_SCOPED, own.some(isDenial));
  }
  return [
    { title: "Denials by policy", series: SERIES, bars: barsOf(byPolicy) },
    { title: "Denials by namespace", series: SERIES, bars: barsOf(byNamespace) },
  ];
}

/** The rows about an object follow each other. Rows about no object, and those without a problem, are left out. */
function* bySubject(rows: Iterable<ReportRow>): Generator<readonly [Subject, readonly ReportRow[]]> {
  let [last, own]: [Subject | undefined, ReportRow[]] = [undefined, []];
  for (const row of rows) {
    const { subject, level } = row;
    if (subject === undefined || level === "pass" || level === "skip") continue;
    if (subject !== last && last !== undefined && own.length > 0) {
      yield [last, own];
      own = [];
    }
    last = subject;
    own.push(row);
  }
  if (last !== undefined && own.length > 0) yield [last, own];
}

const isDenial = ({ level }: ReportRow): boolean => level === "fail" || level === "error";

const sourceOf = ({ policy, system }: ReportRow): string =>
  policy ?? (system === "validation" ? "the API server" : system);

function count(counts: Map<string, Counts>, name: string, isDenied: boolean): void {
  const known = counts.get(name) ?? [0, 0];
  known[isDenied ? 0 : 1]++;
  counts.set(name, known);
}

/** The first value decides, then the next. */
export function barsOf(counts: ReadonlyMap<string, readonly number[]>): readonly ChartBar[] {
  return [...counts].map(([name, values]) => ({ name, values })).sort(largestFirst);
}

export function largestFirst(a: ChartBar, b: ChartBar): number {
  for (const [i, value] of a.values.entries()) if (value !== b.values[i]) return (b.values[i] ?? 0) - value;
  return a.name < b.name ? -1 : 1;
}
