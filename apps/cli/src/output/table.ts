// `-o table`: aligned columns. On a terminal the last column is cut to what is left; in a pipe nothing is cut.

import type { Answer, Table } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Paint } from "./paint.ts";
import { cutTo, padTo, visible, widthOf } from "./width.ts";

const GAP = "  ";
/** Below this a cut column tells nothing; the line is left to wrap. */
const LEAST = 8;

export function render(answer: Answer, { paint, columns }: Setting): string {
  return tableText(answer.table, paint, columns);
}

/** Also for verbs that show a table among other text. */
export function tableText(table: Table, paint: Paint, columns?: number): string {
  const head = table.columns.map((name) => name.toUpperCase());
  const rows = table.rows.map((row) => row.map((cell) => visible(cell).replaceAll(/\s*\n\s*/g, " ")));
  const widths = head.map((name, i) => Math.max(widthOf(name), ...rows.map((row) => widthOf(row[i] ?? ""))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST, columns - before);
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, i) => (i === widths.length - 1 ? cutTo(cells[i] ?? "", left) : padTo(cells[i] ?? "", width)))
      .join(GAP)
      .trimEnd();
  return [paint.bold(line(head)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}
