// Text → the stretches that are read on their own: the documents of a YAML stream, the lines of JSON lines, the items of a large
// List. Small stretches keep one broken document from hiding the others, and keep a place cheap to find in a large file.

export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Documents. A line that starts with `---` ends the previous document, even inside quotes: YAML forbids it there. */
export function* splitDocuments(text: string): Generator<Part> {
  if (isJsonLines(text)) return yield* splitLines(text);
  let start = 0;
  for (let at = text.indexOf("\n---"); at !== -1; at = text.indexOf("\n---", at + 1)) {
    if (!isBlank(text.charCodeAt(at + 4))) continue;
    const next = documentStart(text, start, at + 1);
    if (next === start) continue;
    yield { start, end: next };
    start = next;
  }
  yield { start, end: text.length };
}

const isBlank = (unit: number): boolean =>
  Number.isNaN(unit) || unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** The marker, or the directives before it: `%YAML 1.2` is one at the start of the text or behind a line of `...`. */
function documentStart(text: string, start: number, marker: number): number {
  let directives = marker;
  for (let lineEnd = marker - 1; lineEnd > start; ) {
    const lineStart = Math.max(start, text.lastIndexOf("\n", lineEnd - 1) + 1);
    const first = text[lineStart];
    if (first === "%") directives = lineStart;
    else if (first === "." && text.startsWith("...", lineStart)) return directives;
    else if (first !== "#" && first !== "\n" && first !== "\r") return marker;
    lineEnd = lineStart - 1;
  }
  return directives === marker ? marker : start;
}

/** Two lines that are objects each: an audit log, `jq -c`, events of a watch. */
function isJsonLines(text: string): boolean {
  const found = /^\s*\{[^\n]*\}[ \t\r]*\n\s*\{/.exec(text.slice(0, 16 * 1024 * 1024));
  if (found === null) return false;
  const end = text.indexOf("\n", found[0].length);
  return text
    .slice(found[0].length, end === -1 ? undefined : end)
    .trimEnd()
    .endsWith("}");
}

function* splitLines(text: string): Generator<Part> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found + 1;
    yield { start, end };
    start = end;
  }
}

export interface ListParts {
  /** The text around the items: `apiVersion`, `kind`, `metadata`. */
  readonly head: Part;
  readonly tail: Part;
  /** Each a YAML list of one element. */
  readonly items: readonly Part[];
}

const ITEMS = /(?:^|\n)items:[ \t]*(?:#[^\n]*)?\r?\n/g;

/**
 * The items of a block-style `items:` at the top level of a document; undefined without any. The caller must check the form of each part,
 * and read the document whole if it differs.
 */
export function splitList(text: string, { start, end }: Part): ListParts | undefined {
  ITEMS.lastIndex = start;
  const found = ITEMS.exec(text);
  if (found === null || found.index >= end) return undefined;
  const head = { start, end: found.index + (found[0].startsWith("\n") ? 1 : 0) };
  const from = ITEMS.lastIndex;
  const items: Part[] = [];
  let indent = -1;
  let itemStart = from;
  let at = from;
  for (; at < end; at = nextLine(text, at, end)) {
    const first = contentOf(text, at, end);
    if (first === -1) continue;
    const column = first - at;
    const isItem = text.charCodeAt(first) === 0x2d && isBlank(text.charCodeAt(first + 1));
    if (indent === -1) {
      if (!isItem) return undefined;
      indent = column;
    } else if (column < indent || (column === indent && !isItem)) {
      break;
    } else if (column === indent) {
      items.push({ start: itemStart, end: at });
      itemStart = at;
    }
  }
  if (indent === -1) return undefined;
  items.push({ start: itemStart, end: at });
  return { head, tail: { start: at, end }, items };
}

function nextLine(text: string, at: number, end: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 || found >= end ? end : found + 1;
}

/** The first character of a line that is no space; -1 for an empty line or a comment. */
function contentOf(text: string, lineStart: number, end: number): number {
  let at = lineStart;
  while (at < end && text.charCodeAt(at) === 0x20) at++;
  const unit = text.charCodeAt(at);
  return at >= end || unit === 0x0a || unit === 0x0d || unit === 0x23 ? -1 : at;
}
