// A report with the suppressed findings, as each format shows them, and with the suppressions that have no effect.

import type { CommandReport, ReportRow } from "../output/answer.ts";
import { piecesOf } from "../output/pieces.ts";
import { placeText } from "../output/place-text.ts";
import { unbroken } from "../output/visible.ts";
import type { Sift, SuppressedRow, UnusedSuppression } from "./sift.ts";

export function withSuppressed(report: CommandReport, sift: Sift | undefined): CommandReport {
  const [suppressed, unused] = [sift?.suppressed ?? [], sift?.unused() ?? []];
  if (suppressed.length + unused.length === 0) return report;
  return {
    ...report,
    results: {
      *[Symbol.iterator]() {
        yield* report.results;
        for (const item of suppressed) yield suppressedRow(item);
        for (const item of unused) yield unusedRow(item);
      },
    },
    document: {
      ...report.document,
      suppressed: suppressed.map(({ row: { rule, message, place, subject, field }, suppressed }) => ({
        rule,
        message,
        ...(place && { place }),
        ...(subject && { object: subject }),
        ...(field !== undefined && { field }),
        ...suppressed,
      })),
      unusedSuppressions: unused,
    },
    text: (paint) =>
      (function* () {
        yield* piecesOf(report.text(paint));
        for (const { message, help, place } of unused) {
          yield `${place === undefined ? "" : `${placeText(place)}: `}${paint.yellow("warning")}: ${unbroken(message)}\n  help: ${unbroken(help)}\n`;
        }
        if (suppressed.length > 0) yield paint.dim(`${suppressed.length} suppressed\n`);
      })(),
  };
}

function suppressedRow({ row, suppressed }: SuppressedRow): ReportRow {
  return {
    ...row,
    level: "skip",
    suppressed: { ...suppressed, level: row.level },
    message: `${row.message}\nsuppressed: ${suppressed.reason}`,
  };
}

function unusedRow({ rule, message, help, place }: UnusedSuppression): ReportRow {
  return {
    group: place?.file ?? "suppressions",
    name: rule,
    level: "warn",
    rule,
    ruleText: "suppressions that have no effect",
    message,
    detail: `help: ${help}`,
    ...(place && { place }),
    system: "suppression",
  };
}
