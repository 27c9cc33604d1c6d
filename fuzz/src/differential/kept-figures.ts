// The figures of the last campaign, which may have been run in parts: the kept figures are sums over the seeds.

import type { Tally } from "./campaign.ts";

export interface Figures extends Tally {
  readonly date: string;
  readonly node: string;
  readonly seeds: readonly number[];
}

/** The figures with one more part. A seed that was run before is not counted twice. */
export function addFigures(before: Figures | undefined, part: Figures): Figures {
  if (before === undefined || part.seeds.some((seed) => before.seeds.includes(seed))) return before ?? part;
  return {
    date: part.date,
    node: part.node,
    seeds: [...before.seeds, ...part.seeds],
    cases: before.cases + part.cases,
    unlisted: before.unlisted + part.unlisted,
    byKind: added(before.byKind, part.byKind),
    byOutcome: added(before.byOutcome, part.byOutcome),
    known: added(before.known, part.known),
  };
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
