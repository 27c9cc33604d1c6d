// The line of a template for each line that Helm made of it. Templates have loops, conditions and included texts, so this is the line that
// looks most like it: the same text, else the same key at the same indentation, else the line before, which included the text.

/** Line numbers from 1, one for each rendered line. */
export function templateLines(rendered: readonly string[], template: readonly string[]): readonly number[] {
  const document = mostAlike(rendered, documentsOf(template));
  const byText = linesBy(document, (line) => line);
  const byKey = linesBy(document, keyOf);
  let last = document.first;
  return rendered.map((line) => {
    const found = near(byText.get(line), last) ?? near(byKey.get(keyOf(line)), last);
    if (found !== undefined) last = found;
    return last;
  });
}

/** Some lines of a template; `first` is the number of the first. */
interface Lines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Helm sorts documents by kind, so those of one template may come in any order. */
function documentsOf(template: readonly string[]): readonly Lines[] {
  const starts = template.flatMap((line, i) => (line.startsWith("---") ? [i + 1] : []));
  return [0, ...starts].map((start, i) => ({ first: start + 1, lines: template.slice(start, starts[i]) }));
}

function mostAlike(rendered: readonly string[], documents: readonly Lines[]): Lines {
  const texts = new Set(rendered);
  const score = ({ lines }: Lines): number => lines.filter((line) => line !== "" && texts.has(line)).length;
  return documents.reduce((best, document) => (score(document) > score(best) ? document : best));
}

function linesBy({ first, lines }: Lines, by: (line: string) => string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    const key = by(line);
    if (key.trim() === "") continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, [first + i]);
    else known.push(first + i);
  }
  return found;
}

/** The indentation, the dashes of a list and the key; nothing for a line without a key. */
const keyOf = (line: string): string => /^ *(?:- +)*["']?[\w./-]+["']?:/.exec(line)?.[0] ?? "";

/** The first from `from` on; else the last before it, where a loop began again. */
function near(lines: readonly number[] | undefined, from: number): number | undefined {
  if (lines === undefined) return undefined;
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return lines[low] ?? lines.at(-1);
}
