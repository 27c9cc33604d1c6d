// The report as one self-contained page: the files with every clause marked, and under each line its missed parts. Everything that comes
// from the user's files is escaped.

import {
  type CoverageCount,
  type CoverageReport,
  type CoveredPoint,
  type CoveredResource,
  percentOf,
} from "./report.ts";
import { missingText } from "./words.ts";

/** Coverage as one page. */
export function coverageHtml(report: CoverageReport): string {
  const { total, policies, sources } = report;
  const names = [...sources.keys()];
  const anchor: Anchor = (file, line) => `f${names.indexOf(file)}-${line}`;
  const files = [...sources].map(([file, lines]) => fileHtml(file, lines, pointsIn(policies, file), anchor));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coverage ${percentOf(total).toFixed(1)}%</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Coverage ${percentOf(total).toFixed(1)}%</h1>
<p>${total.covered} of ${total.points} points. <span class="hit">covered</span> <span class="part">in part</span> <span class="miss">missed</span></p>
<table>
<thead><tr><th>Policy</th><th>Kind</th><th>Covered</th><th>Points</th><th></th></tr></thead>
<tbody>
${policies.map((policy) => rowHtml(policy, anchor)).join("\n")}
</tbody>
</table>
${files.join("\n")}
</body>
</html>
`;
}

/** The id of a line, for any file name. */
type Anchor = (file: string, line: number) => string;

const STYLE = `
:root { --hit: #d7f3dc; --part: #fdf0c4; --miss: #fbd5d5; --line: #8886; --dim: #777 }
@media (prefers-color-scheme: dark) { :root { --hit: #16401f; --part: #4d3f0c; --miss: #5a1e1e; --dim: #999 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 100em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse } td, th { text-align: left; padding: .2em 1em .2em 0; border-bottom: 1px solid var(--line) }
pre { font: 13px/1.6 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--line); padding: .5em 0; margin: 0 }
pre > span { display: block; padding: 0 1em } .number { display: inline-block; width: 4em; color: var(--dim); user-select: none }
.note { color: var(--dim); padding-left: 6em !important } .note::before { content: "\\2191 " }
.hit { background: var(--hit) } .part { background: var(--part) } .miss { background: var(--miss) }
`;

function rowHtml({ kind, name, place, points, covered }: CoveredResource, anchor: Anchor): string {
  const link =
    place === undefined ? escapeHtml(name) : `<a href="#${anchor(place.file, place.line)}">${escapeHtml(name)}</a>`;
  const count: CoverageCount = { points, covered };
  const bar = `<meter min="0" max="${points}" value="${covered}">${percentOf(count)}%</meter>`;
  return `<tr><td>${link}</td><td>${escapeHtml(kind)}</td><td>${percentOf(count).toFixed(1)}%</td><td>${covered}/${points}</td><td>${bar}</td></tr>`;
}

type Placed = CoveredPoint & { readonly place: NonNullable<CoveredPoint["place"]> };

function pointsIn(policies: readonly CoveredResource[], file: string): readonly Placed[] {
  const all = policies.flatMap(({ expressions }) => expressions.flatMap(({ points }) => points));
  return all.filter((point): point is Placed => point.place?.file === file);
}

interface Mark {
  readonly place: Placed["place"];
  readonly title: string;
  readonly state: "hit" | "part" | "miss";
}

function fileHtml(file: string, lines: readonly string[], points: readonly Placed[], anchor: Anchor): string {
  const marks = marksOf(points);
  const body = lines.map((text, i) => {
    const line = i + 1;
    const missed = points.filter(({ place, covered }) => !covered && place.line === line);
    const notes = missed.map(
      (point) => `<span class="note">${escapeHtml(`${missingText(point)}: ${oneLine(point.text)}`)}</span>`,
    );
    return `<span id="${anchor(file, line)}"><span class="number">${line}</span>${lineHtml(text, line, marks)}</span>${notes.join("")}`;
  });
  return `<h2>${escapeHtml(file)}</h2>\n<pre>${body.join("")}</pre>`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** One for every clause, the outer before those inside of it. */
function marksOf(points: readonly Placed[]): readonly Mark[] {
  const clauses = new Map<string, Placed[]>();
  for (const point of points) {
    const { line, column, endLine, endColumn } = point.place;
    const key = `${line}:${column}-${endLine}:${endColumn}`;
    clauses.set(key, [...(clauses.get(key) ?? []), point]);
  }
  const before = (a: Mark["place"], b: Mark["place"]): number =>
    a.line - b.line || a.column - b.column || b.endLine - a.endLine || b.endColumn - a.endColumn;
  return [...clauses.values()]
    .map((group): Mark => {
      const missed = group.filter(({ covered }) => !covered);
      const state = missed.length === 0 ? "hit" : missed.length === group.length ? "miss" : "part";
      return { place: group[0]!.place, state, title: missed.map(missingText).join(", ") || "covered" };
    })
    .sort((a, b) => before(a.place, b.place));
}

/** Each stretch of the line with the innermost clause that it is in. */
function lineHtml(text: string, line: number, marks: readonly Mark[]): string {
  const indent = text.length - text.trimStart().length;
  const inside: (Mark | undefined)[] = new Array(text.length);
  for (const mark of marks) {
    const { line: first, column, endLine, endColumn } = mark.place;
    if (line < first || line > endLine) continue;
    inside.fill(mark, line === first ? column - 1 : indent, line === endLine ? endColumn - 1 : text.length);
  }
  let html = "";
  for (let start = 0, end = 0; start < text.length; start = end) {
    const mark = inside[start];
    for (end = start; end < text.length && inside[end] === mark; ) end++;
    const part = escapeHtml(text.slice(start, end));
    html += mark === undefined ? part : `<span class="${mark.state}" title="${escapeHtml(mark.title)}">${part}</span>`;
  }
  return html;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);
}
