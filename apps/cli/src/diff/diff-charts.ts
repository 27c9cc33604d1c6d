// The charts of a comparison: objects that are newly denied or allowed, and the costs of each policy in both sets.

import type { SimulatedCluster } from "@celadon/simulator";
import { type PolicyTally, Tally } from "@celadon/simulator";
import type { ClusterPair } from "@celadon/simulator/diff";
import type { Chart, ChartSeries } from "../output/answer.ts";
import { barsOf, CLUSTER_SCOPED } from "../output/charts.ts";
import { reviewSubject } from "../review/ask.ts";
import type { ReviewSubject } from "../review/subjects.ts";
import { type CompareOptions, inTurn } from "./compare-all.ts";
import { type Grouping, groupsOf } from "./groups.ts";
import type { DiffRow } from "./row.ts";

/** The policies of a comparison with their costs; without `old`, one answer of each comparison was recorded. */
export interface ComparedCosts {
  readonly old?: readonly PolicyTally[];
  readonly next: readonly PolicyTally[];
}

/** Evaluates every policy of both sets: a comparison itself evaluates only what the change can affect. */
export async function comparedCosts(
  { old, next }: Pick<ClusterPair, "next"> & { readonly old?: SimulatedCluster },
  asked: readonly ReviewSubject[],
  options: Pick<CompareOptions, "signal" | "onProgress">,
): Promise<ComparedCosts> {
  const [before, after] = [new Tally(), new Tally()];
  await inTurn(asked, options, async (item) => {
    if (old !== undefined) before.add(await reviewSubject(old, item));
    after.add(await reviewSubject(next, item));
  });
  return { ...(old && { old: await before.finish(old, []) }), next: await after.finish(next, []) };
}

const CHANGES: readonly ChartSeries[] = [
  { name: "newly denied", tone: "bad" },
  { name: "newly allowed", tone: "good" },
  { name: "other changes", tone: "warn" },
];

export function diffCharts(rows: readonly DiffRow[], costs: ComparedCosts | undefined): readonly Chart[] {
  return [
    changesBy("policy", "api server", rows),
    changesBy("namespace", CLUSTER_SCOPED, rows),
    ...(costs ? [costsChart(costs)] : []),
  ];
}

function changesBy(grouping: Grouping, unnamed: string, rows: readonly DiffRow[]): Chart {
  const counts = groupsOf(rows, grouping).map(({ name, members }): [string, readonly number[]] => {
    const number = (kind: string): number => members.filter((member) => member.kind === kind).length;
    const [denied, allowed] = [number("denied"), number("allowed")];
    return [name === "" ? unnamed : name, [denied, allowed, members.length - denied - allowed]];
  });
  return { title: `Changes by ${grouping}`, series: CHANGES, bars: barsOf(new Map(counts)) };
}

function costsChart({ old, next }: ComparedCosts): Chart {
  const names = new Set([...(old ?? []), ...next].map(({ policy }) => policy));
  const costIn = (set: readonly PolicyTally[], name: string): number =>
    set.reduce((sum, { policy, cost }) => sum + (policy === name ? cost.total : 0), 0);
  const counts = [...names].map((name): [string, readonly number[]] => [
    name,
    [costIn(next, name), ...(old === undefined ? [] : [costIn(old, name)])],
  ]);
  return {
    title: "Cost by policy, in units of CEL evaluation over all objects",
    series: [{ name: "NEW", tone: "plain" }, ...(old === undefined ? [] : [{ name: "OLD", tone: "before" } as const])],
    bars: barsOf(new Map(counts.filter(([, values]) => values.some((value) => value > 0)))),
  };
}
