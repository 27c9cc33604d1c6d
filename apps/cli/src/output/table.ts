// `-o table`: aligned columns. On a terminal the widest columns are cut until a line fits; in a pipe nothing is cut.

import { joinLines } from "@celadon/base";
import type { CommandReport, Table } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Paint } from "./paint.ts";
import { wholeText } from "./pieces.ts";
import { visible } from "./visible.ts";
import { cutTo, padTo, widthOf } from "./width.ts";

const GAP = "  ";
/** A column cut to less than this is useless; lines then wrap. */
const LEAST = 8;

export function render(answer: CommandReport, { paint, columns }: Setting): Iterable<string> {
  return tableLines(answer.table, paint, columns);
}

/** For verbs that show a table among other text. */
export function tableText(table: Table, paint: Paint, columns?: number): string {
  return wholeText(tableLines(table, paint, columns));
}

function* tableLines({ columns: names, rows }: Table, paint: Paint, columns?: number): Generator<string> {
  const head = names.map((name) => name.toUpperCase());
  const wanted = head.map(widthOf);
  for (const row of rows) {
    for (const i of head.keys()) wanted[i] = Math.max(wanted[i]!, widthOf(cellText(row[i] ?? "")));
  }
  const widths = columns === undefined ? wanted : fitted(wanted, columns - GAP.length * (head.length - 1));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, i) => padTo(cutTo(cells[i] ?? "", width), width))
      .join(GAP)
      .trimEnd();
  yield `${paint.bold(line(head))}\n`;
  for (const row of rows) yield `${line(row.map(cellText))}\n`;
}

const cellText = (cell: string): string => joinLines(visible(cell));

/** The widest columns get the same width, as large as the space allows; narrower ones keep theirs. */
function fitted(wanted: readonly number[], space: number): readonly number[] {
  const totalAt = (most: number): number => wanted.reduce((sum, width) => sum + Math.min(width, most), 0);
  let most = wanted.reduce((widest, width) => Math.max(widest, width), 0);
  while (most > LEAST && totalAt(most) > space) most--;
  return wanted.map((width) => Math.min(width, most));
}
