// Costs in every form, the largest share of a limit first.

import { MAX } from "@celadon/cel/cost";
import { compareMinors, type Minor } from "@celadon/kube-cel";
import { byShare, type CostRow as Cost, estimateTotal, type RowEstimate, shareOf } from "@celadon/lint/costs";
import { placeOf } from "@celadon/simulator/manifests";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { subjectOf } from "../outcome/names.ts";
import type { CommandReport, ReportRow, ShownPlace, Subject, Table } from "../output/answer.ts";
import { frame } from "../output/frame.ts";
import { costNumber, shareText } from "../output/numbers.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { tableText } from "../output/table.ts";
import { EXIT } from "../program/exit.ts";

type CostRow = Cost<Subject>;

export interface CostAnswerOptions {
  readonly minors: readonly Minor[];
  /** Percent of a limit from which on the run fails; more than all of it always does. */
  readonly over: number | undefined;
  /** The number of reviewed objects. */
  readonly objects: number;
}

export function costAnswer(found: readonly CostRow[], options: CostAnswerOptions): CommandReport {
  const rows = byShare(found);
  const failed = rows.filter((row) => problemOf(row, options) !== undefined);
  const answer: CommandReport = {
    results: rows.map((row) => resultOf(row, options)),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "CostReport",
      kubeVersions: options.minors,
      objects: options.objects,
      expressions: rows.map((row) => rowJson(row, options)),
    },
    text: (paint) => costText(rows, failed, options, paint),
    table: tableOf(rows, options.minors),
    exit: failed.length > 0 ? EXIT.failed : EXIT.ok,
  };
  return rows.length > 0
    ? answer
    : withNothingJudged(answer, { message: "nothing to cost: no expressions in the inputs" });
}

/** The problem of a row; undefined when nothing is. */
function problemOf(row: CostRow, { over, minors }: CostAnswerOptions): string | undefined {
  const { refused, tooCostly } = row;
  const [why] = refused.values();
  if (tooCostly && why !== undefined) return why;
  if (minors.every((minor) => refused.has(minor)) && why !== undefined) return why;
  const share = shareOf(row);
  if (share === undefined) return undefined;
  if (share > 100) return `${shareText(share)} of the limit`;
  return over !== undefined && share >= over
    ? `${shareText(share)} of the limit, the threshold is ${over}%`
    : undefined;
}

function placeOfRow({ manifest, path }: CostRow): ShownPlace | undefined {
  return manifest.origin?.positionIn(path, 0) ?? placeOf(manifest, path);
}

function resultOf(row: CostRow, options: CostAnswerOptions): ReportRow {
  const { manifest, what, help } = row;
  const subject = subjectOf(manifest.object);
  const problem = problemOf(row, options);
  const at = placeOfRow(row);
  const place = at && { file: at.file, line: at.line, column: at.column };
  return {
    group: place?.file ?? "",
    name: `${subjectText(subject)}: ${what}`,
    level: problem === undefined ? "pass" : "fail",
    rule: "cost/limit",
    ruleText: "expressions stay within the API server's limits",
    message: problem === undefined ? "" : `${what}: ${problem}`,
    ...(help !== undefined && problem !== undefined && { detail: `help: ${help}` }),
    ...(place && { place }),
    policy: subject.name,
    policyRule: what,
    system: "cost",
    subject,
  };
}

function rowJson(row: CostRow, options: CostAnswerOptions): Readonly<Record<string, unknown>> {
  const { manifest, path, what, expression, estimate, measured, limit, refused, tooCostly, help, related = [] } = row;
  const share = shareOf(row);
  const problem = problemOf(row, options);
  const at = placeOfRow(row);
  return {
    resource: subjectOf(manifest.object),
    path,
    what,
    ...(expression !== "" && { expression }),
    place: at && { file: at.file, line: at.line, column: at.column },
    ...(share !== undefined && { sharePercent: Number(share.toPrecision(4)) }),
    ...(estimate && {
      estimate: {
        ...(estimate.min !== undefined && { min: jsonCost(estimate.min) }),
        max: jsonCost(estimate.max),
        times: jsonCost(estimate.times),
        total: jsonCost(estimateTotal(estimate)),
        ...(estimate.limit !== undefined && { limit: estimate.limit }),
      },
    }),
    ...(measured && { measured: { ...measured, limit } }),
    refusedBy: Object.fromEntries([...refused].sort(([a], [b]) => compareMinors(a, b))),
    tooCostly,
    ...(problem !== undefined && { problem }),
    ...(help !== undefined && { help }),
    ...(related.length > 0 && {
      related: related.map((item) => ({ message: item.message, place: placeOf(item.manifest, item.path) })),
    }),
  };
}

/** Null is beyond counting. */
function jsonCost(cost: bigint): number | bigint | null {
  if (cost >= MAX) return null;
  return cost <= Number.MAX_SAFE_INTEGER ? Number(cost) : cost;
}

function tableOf(rows: readonly CostRow[], minors: readonly Minor[]): Table {
  const several = minors.length > 1;
  const columns = ["SHARE", "ESTIMATE", "MEASURED", ...(several ? minors : []), "RESOURCE", "EXPRESSION", "PLACE"];
  const body = rows.map((row) => {
    const { manifest, measured, refused, what } = row;
    const share = shareOf(row);
    const at = placeOfRow(row);
    const shown = share === undefined ? "" : shareText(share);
    const isRefused = !several && refused.size > 0;
    return [
      isRefused && share === undefined ? "rejected" : shown,
      row.estimate ? estimateText(row.estimate) : "",
      measured ? measuredText(measured) : "",
      ...(several ? minors.map((minor) => (refused.has(minor) ? "rejected" : shown || "ok")) : []),
      nameText(manifest.object),
      what,
      at ? placeText(at) : "",
    ];
  });
  return { columns, rows: body };
}

const nameText = (object: CostRow["manifest"]["object"]): string => subjectOf(object).name;

function estimateText({ min, max, times, limit }: RowEstimate): string {
  const text = min === undefined || min === max ? costNumber(max) : `${costNumber(min)}..${costNumber(max)}`;
  const whole = times === 1n ? text : `${text} × ${costNumber(times)}`;
  return limit === undefined ? `(${whole})` : whole;
}

function measuredText({ max, median, evaluations }: NonNullable<CostRow["measured"]>): string {
  return evaluations === 1
    ? costNumber(max)
    : `${costNumber(max)} (median ${costNumber(median)} of ${costNumber(evaluations)})`;
}

function costText(
  rows: readonly CostRow[],
  failed: readonly CostRow[],
  options: CostAnswerOptions,
  paint: Paint,
): string {
  if (rows.length === 0) return "";
  const blocks = failed.map((row) => problemText(row, options, paint));
  const { objects } = options;
  const measured = rows.filter((row) => row.measured !== undefined && row.expression !== "").length;
  const expressions = rows.filter(({ expression }) => expression !== "").length;
  const parts = [
    `${expressions} ${expressions === 1 ? "expression" : "expressions"}`,
    `${measured} measured on ${objects} ${objects === 1 ? "object" : "objects"}`,
    failed.length === 0 ? "all within limits" : `${failed.length} ${failed.length === 1 ? "problem" : "problems"}`,
  ];
  const line = parts.join(", ");
  const table = tableText(tableOf(rows, options.minors), paint);
  return `${table}\n${blocks.map((block) => `${block}\n`).join("")}${failed.length > 0 ? paint.red(line) : paint.green(line)}\n`;
}

function problemText(row: CostRow, options: CostAnswerOptions, paint: Paint): string {
  const { manifest, what, expression, measured, help, related = [] } = row;
  const message = `${paint.red("error")}: ${what}: ${problemOf(row, options)}`;
  const at = placeOfRow(row);
  const head =
    at === undefined
      ? `${message}\n`
      : frame({
          file: at.file,
          line: at.line,
          column: at.column,
          text: (line) => manifest.origin?.lineText(line),
          length: Math.max(1, expression.split("\n", 1)[0]!.length),
          message,
          paint,
        });
  const lines = related.map((item) => {
    const place = placeOf(item.manifest, item.path);
    return paint.dim(`  ${place === undefined ? "" : `${placeText(place)}: `}${item.message}\n`);
  });
  const worst = measured && measured.evaluations > 1 ? `  most for ${subjectText(measured.worst)}\n` : "";
  return `${head}${lines.join("")}${worst}${help === undefined ? "" : `  ${paint.green("help:")} ${help}\n`}`;
}
