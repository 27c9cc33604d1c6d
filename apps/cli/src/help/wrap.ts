// Text set in lines of at most a width. Words are never broken; lines that begin with a blank are kept as they are, others of a
// paragraph are wrapped again.

export const COLUMNS = 80;

export function wrap(text: string, width: number): string[] {
  const paragraphs: string[] = [];
  let open = false;
  for (const line of text.split("\n")) {
    const words = /^\S/.test(line);
    if (words && open) paragraphs.push(`${paragraphs.pop()} ${line}`);
    else paragraphs.push(line);
    open = words;
  }
  return paragraphs.flatMap((line) => (/^\S/.test(line) ? wrapLine(line, width) : [line]));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/ +/)) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** Two columns: names on the left, wrapped text on the right, below a name that is too long. */
export function columns(rows: readonly (readonly [string, string])[], width: number = COLUMNS): string {
  const left = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length))) + 4;
  const lines = rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, width - left);
    const head = `  ${name}`;
    const start = head.length + 2 <= left ? [head.padEnd(left) + first] : [head, " ".repeat(left) + first];
    return [...start, ...rest.map((line) => " ".repeat(left) + line)];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
