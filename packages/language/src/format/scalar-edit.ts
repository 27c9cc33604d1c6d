// Another text for a scalar of a YAML file: what to replace, and with what. One line keeps the scalar's style where it can be
// written in it; several lines become a literal block, which keeps a block's chomping and a comment beside the scalar.

import { readDocuments, type ScalarRange } from "@celadon/kube/read";

/** A replacement in a text. */
export interface FormatEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ScalarPlace {
  readonly range: ScalarRange;
  /** Spaces before the lines of a block. */
  readonly margin: number;
  /** In a `{…}` or `[…]`, where no block can be. */
  readonly inFlow: boolean;
}

/** Undefined when the text cannot stand there. */
export function editScalar(file: string, place: ScalarPlace, text: string): FormatEdit | undefined {
  const { start, end, style } = place.range;
  if (style === "literal" || style === "folded") return editBlock(file, place, text);
  if (!text.includes("\n")) {
    const written = onOneLine(text, place);
    if (written !== undefined) return { start, end, text: written };
  }
  return place.inFlow || needsEscapes(text) ? undefined : newBlock(file, place, text);
}

/** Control characters and other line ends: readers refuse or change them wherever they are not escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** Whether only double quotes, on one line, can hold a text. */
export const needsEscapes = (text: string): boolean => ESCAPED.test(text);

/** In the style it has; in quotes where only those will do. */
function onOneLine(text: string, { range, inFlow }: ScalarPlace): string | undefined {
  const single = `'${text.replaceAll("'", "''")}'`;
  const double = JSON.stringify(text).replaceAll(new RegExp(ESCAPED, "gu"), escaped);
  if (needsEscapes(text)) return double;
  const quoted = text.includes("'") && !/["\\]/.test(text) ? [double, single] : [single, double];
  const forms = range.style === "plain" ? [text, ...quoted] : range.style === "single" ? [single, double] : [double];
  return forms.find((form) => readsAs(inFlow ? `{v: ${form}}` : `v: ${form}`, text));
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

function readsAs(yaml: string, text: string): boolean {
  const { documents, issues } = readDocuments(yaml, { format: "yaml" });
  const value = documents[0]?.value as { v?: unknown } | undefined;
  return issues.length === 0 && value?.v === text;
}

/** The lines of an existing block, without empty ones at its end. A folded one can hold one line as it is. */
function editBlock(file: string, { range, margin }: ScalarPlace, text: string): FormatEdit {
  const header = lineAt(file, range.start);
  const indicator = text.includes("\n") ? "|" : file[range.start]!;
  // the first line begins with no space: nothing has to say how far in it is
  const first = `${indicator}${header.text.slice(1).replace(/^([-+]?)[1-9]([-+]?)/, "$1$2")}`;
  const content = file.slice(header.next, range.end).trimEnd();
  const end = header.next + content.length;
  return { start: range.start, end, text: `${first}${header.lineEnd}${indented(text, margin, header.lineEnd)}` };
}

function newBlock(file: string, { range, margin }: ScalarPlace, text: string): FormatEdit {
  const rest = lineAt(file, range.end);
  const block = indented(text, margin, rest.lineEnd);
  return {
    start: range.start,
    end: range.end + rest.text.length,
    text: `|-${rest.text.trimEnd()}${rest.lineEnd}${block}`,
  };
}

function indented(text: string, margin: number, lineEnd: string): string {
  const spaces = " ".repeat(margin);
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : spaces + line))
    .join(lineEnd);
}

/** The rest of the line from an offset, how the line ends, and where the next begins. */
function lineAt(file: string, from: number): { text: string; lineEnd: string; next: number } {
  const newline = file.indexOf("\n", from);
  const end = newline < 0 ? file.length : newline;
  const text = file.slice(from, end);
  const isCrlf = newline < 0 ? file.includes("\r\n") : text.endsWith("\r") || file[newline - 1] === "\r";
  return { text: text.replace(/\r$/, ""), lineEnd: isCrlf ? "\r\n" : "\n", next: Math.min(end + 1, file.length) };
}

/** The indentation of a block's lines; undefined where nothing shows it. */
export function marginOf(file: string, { start, end }: ScalarRange): number | undefined {
  const header = lineAt(file, start);
  if (/^[|>][-+]?[1-9]/.test(header.text)) return undefined;
  const line = /^( *)[^ \r\n]/m.exec(file.slice(header.next, end));
  return line?.[1]?.length;
}
