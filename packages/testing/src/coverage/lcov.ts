// The report as an lcov trace, over lines of the YAML: a line counts where a clause begins on it, and every point is a branch.
// Format: geninfo(1); what genhtml and the services that read lcov take.

import type { CoverageReport, CoveredExpression } from "./report.ts";

interface FileLines {
  /** Hits by line. */
  readonly lines: Map<number, number>;
  readonly branches: { readonly line: number; readonly block: number; readonly taken: string }[];
  blocks: number;
}

/** Coverage as lcov, for tools that read that. */
export function coverageLcov({ policies }: CoverageReport): string {
  const files = new Map<string, FileLines>();
  for (const { expressions } of policies) for (const expression of expressions) addExpression(files, expression);
  return [...files].map(([file, data]) => fileText(file, data)).join("");
}

function addExpression(files: Map<string, FileLines>, { count, points }: CoveredExpression): void {
  const file = points[0]?.place?.file;
  if (file === undefined) return;
  let data = files.get(file);
  if (data === undefined) files.set(file, (data = { lines: new Map(), branches: [], blocks: 0 }));
  const block = data.blocks++;
  for (const { place, covered } of points) {
    if (place === undefined) continue;
    const { line } = place;
    data.lines.set(line, Math.max(data.lines.get(line) ?? 0, covered ? Math.max(count, 1) : 0));
    data.branches.push({ line, block, taken: count === 0 ? "-" : covered ? "1" : "0" });
  }
}

function fileText(file: string, { lines, branches }: FileLines): string {
  const hits = [...lines].sort(([a], [b]) => a - b);
  const sorted = branches.toSorted((a, b) => a.line - b.line || a.block - b.block);
  const numbers = new Map<string, number>();
  const next = (place: string): number => {
    const number = numbers.get(place) ?? 0;
    numbers.set(place, number + 1);
    return number;
  };
  return [
    "TN:",
    `SF:${file.replaceAll("\r", "\\r").replaceAll("\n", "\\n")}`,
    ...sorted.map(({ line, block, taken }) => `BRDA:${line},${block},${next(`${line},${block}`)},${taken}`),
    `BRF:${branches.length}`,
    `BRH:${branches.filter(({ taken }) => taken === "1").length}`,
    ...hits.map(([line, count]) => `DA:${line},${count}`),
    `LF:${hits.length}`,
    `LH:${hits.filter(([, count]) => count > 0).length}`,
    "end_of_record\n",
  ].join("\n");
}
