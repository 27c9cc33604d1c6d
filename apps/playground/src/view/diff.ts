// Two texts line by line: lines of one, of the other, of both; of long common stretches only the edges.

export interface DiffLine {
  readonly is: "same" | "add" | "cut" | "gap";
  readonly text: string;
}

/** Lines around a change that are shown. */
const AROUND = 3;
/** Larger middles are not compared. */
const LARGEST = 1_500;

/** Undefined where the texts differ in too many lines to compare. */
export function diffLines(before: string, after: string): readonly DiffLine[] | undefined {
  const [a, b] = [before.trimEnd().split("\n"), after.trimEnd().split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (middleA.length > LARGEST || middleB.length > LARGEST) return undefined;
  const same = (text: string): DiffLine => ({ is: "same", text });
  const all = [...a.slice(0, start).map(same), ...compare(middleA, middleB), ...a.slice(a.length - end).map(same)];
  return folded(all);
}

/** By the longest common subsequence. */
function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ is: "same", text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ is: "cut", text: a[i++]! });
    } else lines.push({ is: "add", text: b[j++]! });
  }
  return lines;
}

function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ is }) => is !== "same");
  const shown: DiffLine[] = [];
  let skipped = 0;
  const close = (): void => {
    if (skipped > 0) shown.push({ is: "gap", text: `${skipped} ${skipped === 1 ? "line" : "lines"} unchanged` });
    skipped = 0;
  };
  for (const [i, line] of lines.entries()) {
    if (line.is !== "same" || isNear(i)) {
      close();
      shown.push(line);
    } else skipped++;
  }
  close();
  return shown;
}
