// Results for people: nanoseconds per evaluation and how many times hand-written JavaScript's they are.

import { type Effort, geometricMean } from "./measure.ts";

export type CaseResult = { readonly nanos: number; readonly spread: number } | { readonly unable: string };

export type EngineResult =
  | {
      /** Nanoseconds per expression, each including the stages before it; null where the engine has no such stage. */
      readonly parse: number | null;
      readonly check: number | null;
      readonly plan: number | null;
      /** Milliseconds from before the engine is loaded until its first answer, in a fresh process. */
      readonly coldCpu: number;
      readonly coldWall: number;
    }
  | { readonly unable: string };

export interface Result {
  readonly effort: Effort;
  readonly engines: readonly string[];
  readonly cases: Readonly<Record<string, Readonly<Record<string, CaseResult>>>>;
  readonly stages: Readonly<Record<string, EngineResult>>;
}

/** The engine the others are measured against. */
export const BASE = "hand-written";

export function printCases({ engines, cases }: Result): void {
  const rows = Object.entries(cases).map(([name, results]) => [
    name,
    ...engines.map((engine) => {
      const found = results[engine]!;
      if ("unable" in found) return "n/a";
      const times = ratio(results, engine);
      const noise = `±${Math.round(found.spread * 100)}%`;
      return `${nanos(found.nanos)} ${noise.padStart(4)}${engine === BASE || times === undefined ? "" : ` ${`${times.toFixed(1)}×`.padStart(8)}`}`;
    }),
  ]);
  const ratios = (engine: string): number[] => Object.values(cases).flatMap((results) => ratio(results, engine) ?? []);
  const mean = (of: readonly number[]): string => (of.length === 0 ? "n/a" : `${geometricMean(of).toFixed(2)}×`);
  print(
    "evaluation: CPU ns per evaluation, spread, times hand-written",
    ["case", ...engines],
    [
      ...rows,
      ["geometric mean", ...engines.map((engine) => mean(ratios(engine)))],
      [
        "worst case",
        ...engines.map((engine) =>
          ratios(engine).length === 0 ? "n/a" : `${Math.max(...ratios(engine)).toFixed(1)}×`,
        ),
      ],
      ["cases answered", ...engines.map((engine) => `${ratios(engine).length}/${Object.keys(cases).length}`)],
    ],
  );
}

export function printStages({ engines, stages }: Result): void {
  const micros = (value: number | null): string => (value === null ? "—" : (value / 1000).toFixed(1));
  const rows = engines.map((engine) => {
    const found = stages[engine]!;
    if ("unable" in found) return [engine, "n/a", "n/a", "n/a", "n/a", "n/a"];
    const { parse, check, plan, coldCpu, coldWall } = found;
    return [engine, micros(parse), micros(check), micros(plan), coldCpu.toFixed(0), coldWall.toFixed(0)];
  });
  print(
    "stages: CPU µs per expression; cold: ms from loading the engine to the first answer in a fresh process",
    ["engine", "parse", "parse+check", "…+plan", "cold CPU ms", "cold wall ms"],
    rows,
  );
}

/** Why an engine did not take part in a case. */
export function printReasons({ cases, stages }: Result): void {
  const reasons = new Map<string, string[]>();
  const note = (engine: string, where: string, found: CaseResult | EngineResult): void => {
    if (!("unable" in found)) return;
    const key = `${engine}: ${found.unable.split("\n")[0]!.slice(0, 90)}`;
    reasons.set(key, [...(reasons.get(key) ?? []), where]);
  };
  for (const [name, results] of Object.entries(cases)) {
    for (const [engine, found] of Object.entries(results)) note(engine, name, found);
  }
  for (const [engine, found] of Object.entries(stages)) note(engine, "stages", found);
  if (reasons.size > 0) console.log("\nn/a:");
  for (const [reason, where] of reasons) console.log(`  ${reason} (${where.join(", ")})`);
}

function ratio(results: Readonly<Record<string, CaseResult>>, engine: string): number | undefined {
  const base = results[BASE];
  const found = results[engine];
  if (base === undefined || found === undefined || "unable" in base || "unable" in found) return undefined;
  return found.nanos / base.nanos;
}

const nanos = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0));

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((text, i) => Math.max(text.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  console.log(`\n${title}\n`);
  console.log(line(head));
  console.log(widths.map((width) => "-".repeat(width)).join("  "));
  for (const row of rows) console.log(line(row));
}
