// `-o table`: aligned columns. On a terminal the widest columns are cut until a line fits; in a pipe nothing is cut.

import type { Answer, Table } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";
import { cutTo, padTo, widthOf } from "./width.ts";

const GAP = "  ";
/** A column cut to less than this is useless; lines then wrap. */
const LEAST = 8;

export function render(answer: Answer, { paint, columns }: Setting): string {
  return tableText(answer.table, paint, columns);
}

/** Also for verbs that show a table among other text. */
export function tableText(table: Table, paint: Paint, columns?: number): string {
  const head = table.columns.map((name) => name.toUpperCase());
  const rows = table.rows.map((row) => row.map((cell) => visible(cell).replaceAll(/\s*\n\s*/g, " ")));
  const wanted = head.map((name, i) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? "")), widthOf(name)),
  );
  const widths = columns === undefined ? wanted : fitted(wanted, columns - GAP.length * (head.length - 1));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, i) => padTo(cutTo(cells[i] ?? "", width), width))
      .join(GAP)
      .trimEnd();
  return [paint.bold(line(head)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

/** The widest columns get the same width, as large as the space allows; narrower ones keep theirs. */
function fitted(wanted: readonly number[], space: number): readonly number[] {
  const totalAt = (most: number): number => wanted.reduce((sum, width) => sum + Math.min(width, most), 0);
  let most = wanted.reduce((widest, width) => Math.max(widest, width), 0);
  while (most > LEAST && totalAt(most) > space) most--;
  return wanted.map((width) => Math.min(width, most));
}
