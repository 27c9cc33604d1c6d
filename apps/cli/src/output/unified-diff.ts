// A unified diff of two texts, as `diff -u` and git write it, so that `patch` and reviewers can read it. Lines are matched by Myers'
// algorithm between the common beginning and end; texts that share too little there are shown as replaced.

const CONTEXT = 3;
/** Beyond so many changed lines the middle counts as replaced, which bounds the work. */
const MOST_CHANGES = 1000;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Empty for texts that are equal. */
export function unifiedDiff(before: string, after: string, file: string): string {
  if (before === after) return "";
  const lines = changes(linesOf(before), linesOf(after));
  return `--- a/${file}\n+++ b/${file}\n${hunks(lines).join("")}`;
}

/** With their line ends: a last line without is another than one with. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function changes(a: readonly string[], b: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** Myers: for each number of changes, how far each diagonal gets; the way back is the script. */
function middle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const traces: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_CHANGES); d++) {
    traces.push(reached);
    const next = new Map(reached);
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(k, d, next) ? (next.get(k + 1) ?? 0) : (next.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, traces);
    }
    reached = next;
  }
  return [...a.map((text): Line => ({ sign: "-", text })), ...b.map((text): Line => ({ sign: "+", text }))];
}

function isDown(k: number, d: number, reached: ReadonlyMap<number, number>): boolean {
  return k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
}

function wayBack(
  a: readonly string[],
  b: readonly string[],
  traces: readonly ReadonlyMap<number, number>[],
): readonly Line[] {
  const lines: Line[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = traces.length - 1; d >= 0; d--) {
    const reached = traces[d]!;
    const k = x - y;
    const previous = isDown(k, d, reached) ? k + 1 : k - 1;
    const fromX = reached.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x--;
      y--;
      lines.push({ sign: " ", text: a[x]! });
    }
    if (d === 0) break;
    if (x === fromX) lines.push({ sign: "+", text: b[--y]! });
    else lines.push({ sign: "-", text: a[--x]! });
  }
  return lines.reverse();
}

function hunks(lines: readonly Line[]): string[] {
  const changed = lines.flatMap(({ sign }, i) => (sign === " " ? [] : [i]));
  const ranges: { from: number; to: number }[] = [];
  for (const i of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && i - CONTEXT <= last.to) last.to = i + CONTEXT + 1;
    else ranges.push({ from: Math.max(0, i - CONTEXT), to: i + CONTEXT + 1 });
  }
  let [oldLine, newLine, at] = [1, 1, 0];
  return ranges.map(({ from, to }) => {
    for (; at < from; at++) {
      oldLine++;
      newLine++;
    }
    const shown = lines.slice(from, to);
    const count = (sign: Line["sign"]): number => shown.filter((line) => line.sign !== sign).length;
    const head = `@@ -${range(oldLine, count("+"))} +${range(newLine, count("-"))} @@\n`;
    oldLine += count("+");
    newLine += count("-");
    at = Math.min(to, lines.length);
    return head + shown.map(lineText).join("");
  });
}

function range(line: number, count: number): string {
  const first = count === 0 ? line - 1 : line;
  return count === 1 ? `${first}` : `${first},${count}`;
}

const lineText = ({ sign, text }: Line): string =>
  text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
