// What the API server says of an expression, taken apart: `ERROR: <input>:2:7: …` with the line and a caret becomes a message and an
// offset in the text. Its words are the same in all four systems, whichever environment compiled the expression.

export interface ShownIssue {
  /** UTF-16 units from the start of the expression. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

const ISSUE = /^(?:.*?: )?ERROR: [^\n]*?:(-?\d+):(\d+): (.*)$/gm;
/** The line of the expression, and the caret under it. */
const QUOTED = /^ \| /;

/** None when the text does not speak of places in an expression. */
export function shownIssues(detail: string, expression: string): readonly ShownIssue[] {
  const text = detail
    .split("\n")
    .filter((line) => !QUOTED.test(line))
    .join("\n");
  return [...text.matchAll(ISSUE)].map(([, line, column, message = ""]) => {
    const offset = offsetOf(expression, Number(line), Number(column));
    return { offset, length: wordLength(expression, offset), message };
  });
}

/** Lines and columns count from 1, columns in code points; what has no place of its own is at the start. */
function offsetOf(expression: string, line: number, column: number): number {
  if (line < 1 || column < 1) return 0;
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = expression.indexOf("\n", start);
    if (end === -1) break;
    start = end + 1;
  }
  let offset = start;
  for (const character of expression.slice(start)) {
    if (--column === 0) break;
    offset += character.length;
  }
  return offset;
}

/** Of the name, number or text that begins there. */
export function wordLength(expression: string, offset: number): number {
  const rest = expression.slice(offset);
  return /^(?:[A-Za-z_0-9]+|\.[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')/.exec(rest)?.[0].length ?? 1;
}
