// `-o html`: the report as one page for people. Nothing is loaded and no script runs: the content security policy of the page forbids
// both, and every text of users is escaped.

import { createHash } from "node:crypto";
import type { Chart, CommandReport, Level, ReportRow } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { placeText } from "../place-text.ts";
import { visible } from "../visible.ts";
import { STYLE } from "./html-style.ts";

/** A browser shows so many rows at once; all are counted. */
const MOST_ROWS = 5000;
const MOST_BARS = 25;

const LEVELS: readonly Level[] = ["fail", "error", "warn", "skip", "pass"];

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  fail: "failed",
  error: "error",
  warn: "warning",
  skip: "skipped",
  pass: "passed",
};

export function* render(answer: CommandReport, { version }: Setting): Generator<string> {
  const { document } = answer;
  const counts = countsOf(answer.results);
  const title = `celadon: ${words(String(document.kind ?? "report"))}`;
  yield headHtml(title);
  yield `<h1>${escapeHtml(title)}</h1>\n`;
  yield summaryHtml(document.summary);
  const charts = (answer.charts?.() ?? []).filter(({ bars }) => bars.length > 0);
  if (charts.length > 0) yield `<div class="charts">\n${charts.map(chartHtml).join("")}</div>\n`;
  yield filterHtml(counts);
  yield* rowsHtml(answer.results);
  yield `<footer>celadon ${escapeHtml(version)}</footer>\n</main>\n</body>\n</html>\n`;
}

function headHtml(title: string): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`;
}

function countsOf(rows: Iterable<ReportRow>): Readonly<Record<Level, number>> {
  const counts = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  for (const { level } of rows) counts[level]++;
  return counts;
}

/** The numbers of a document's summary. */
function summaryHtml(summary: unknown): string {
  const numbers = Object.entries(Object(summary)).filter(([, value]) => typeof value === "number");
  if (numbers.length === 0) return "";
  const tiles = numbers.map(
    ([key, value]) => `<div><dt>${escapeHtml(words(key))}</dt><dd>${amount(Number(value))}</dd></div>`,
  );
  return `<dl class="summary">${tiles.join("")}</dl>\n`;
}

/** `unmatchedPolicies` in words. */
function words(key: string): string {
  return key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function chartHtml({ title, series, bars }: Chart): string {
  const most = Math.max(1, ...bars.flatMap(({ values }) => values));
  const shown = bars.slice(0, MOST_BARS);
  const rest = bars.length - shown.length;
  const legend = series.map(({ name, tone }) => `<span class="key ${tone}">${escapeHtml(name)}</span>`).join(" ");
  const rows = shown.map(({ name, values, note }) => {
    const cells = series.map(({ name: meaning, tone }, i) => barHtml(values[i] ?? 0, most, meaning, tone)).join("");
    const remark = note === undefined ? "" : `<small>${escapeHtml(note)}</small>`;
    return `<tr><th scope="row">${escapeHtml(name)}</th><td>${cells}${remark}</td></tr>\n`;
  });
  const more = rest === 0 ? "" : `<p class="more">and ${amount(rest)} more</p>`;
  return `<section class="chart"><h2>${escapeHtml(title)}</h2><p>${legend}</p><table><tbody>\n${rows.join("")}</tbody></table>${more}</section>\n`;
}

/** A style would need a hash of its own in the content security policy; the attributes of a picture do not. */
function barHtml(value: number, most: number, meaning: string, tone: string): string {
  const width = Math.max(value > 0 ? 0.5 : 0, (100 * value) / most).toFixed(2);
  const picture = `<svg aria-hidden="true" width="100%" height="10" class="${tone}"><rect width="${width}%" height="10" rx="2"/></svg>`;
  return `<div class="bar">${picture}<span>${amount(value)}<span class="meaning"> ${escapeHtml(meaning)}</span></span></div>`;
}

/** Rows of one level; without a script, by the state of the inputs alone. */
function filterHtml(counts: Readonly<Record<Level, number>>): string {
  const levels = LEVELS.filter((level) => level !== "pass" && counts[level] > 0);
  const all = levels.reduce((sum, level) => sum + counts[level], 0);
  const choice = (id: string, text: string, isChosen: boolean): string =>
    `<input type="radio" name="show" id="show-${id}"${isChosen ? " checked" : ""}><label for="show-${id}">${text}</label>`;
  const choices = [
    choice("all", `all (${amount(all)})`, true),
    ...levels.map((level) => choice(level, `${LEVEL_WORDS[level]} (${amount(counts[level])})`, false)),
  ];
  const passed = `<p class="more">${amount(counts.pass)} passed</p>`;
  return `<h2>Results</h2>\n${passed}\n<fieldset><legend>Show</legend>${choices.join(" ")}</fieldset>\n`;
}

function* rowsHtml(rows: Iterable<ReportRow>): Generator<string> {
  let [shown, left] = [0, 0];
  yield '<table class="rows">\n<thead><tr><th scope="col">Level</th><th scope="col">Object</th><th scope="col">Message</th><th scope="col">Rule</th><th scope="col">Place</th></tr></thead>\n<tbody>\n';
  for (const row of rows) {
    if (row.level === "pass") continue;
    if (shown === MOST_ROWS) left++;
    else {
      shown++;
      yield rowHtml(row);
    }
  }
  yield "</tbody>\n</table>\n";
  if (left > 0) yield `<p class="more">${amount(left)} more results are not listed; -o json has all of them</p>\n`;
}

function rowHtml({
  level,
  name,
  subject,
  message,
  detail,
  rule,
  ruleText,
  ruleUrl,
  place,
  related = [],
}: ReportRow): string {
  const object =
    subject === undefined
      ? name
      : [subject.kind, [subject.namespace, subject.name].filter(Boolean).join("/")].join(" ");
  const more = [
    ...(detail === undefined || detail === "" ? [] : [`<pre>${escapeHtml(detail)}</pre>`]),
    ...(ruleText === undefined ? [] : [`<code>${escapeHtml(ruleText)}</code>`]),
    ...related.map((other) => `<p>${escapeHtml(`${other.message}: ${placeText(other.place)}`)}</p>`),
  ];
  const cells = [
    `<span class="level">${LEVEL_WORDS[level]}</span>`,
    escapeHtml(object),
    `<p>${escapeHtml(message)}</p>${more.join("")}`,
    ruleUrl?.startsWith("https://") ? `<a href="${escapeHtml(ruleUrl)}">${escapeHtml(rule)}</a>` : escapeHtml(rule),
    place === undefined ? "" : escapeHtml(placeText(place)),
  ];
  return `<tr class="${level}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
}

const amount = (value: number): string => value.toLocaleString("en-US");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
};

/** Characters that hide or act are written out. A line break of data stays one, but begins no line of the page's source. */
function escapeHtml(text: string): string {
  return visible(text).replaceAll(/[&<>"'\n]/g, (character) => ENTITIES[character]!);
}
