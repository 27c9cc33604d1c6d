// A stream of YAML documents, cut where each of them starts. A line that starts with `---` starts a document wherever it
// stands, so they can be read apart: one that needs the full parser leaves the others to the fast reader.

/** Offsets of a document: from its `---`, or the start of the text, to the start of the next. */
export interface DocumentRange {
  readonly start: number;
  readonly end: number;
}

// A directive belongs to the document after it, and after `...` one can start without a marker.
const WHOLE = ["%", "..."];
const BYTE_ORDER_MARK = "\ufeff";

/** Undefined if the stream can only be read as a whole. What stands before the first marker is the first range. */
export function splitYaml(text: string): DocumentRange[] | undefined {
  if (WHOLE.some((mark) => text.startsWith(mark) || text.includes(`\n${mark}`))) return undefined;
  if (text.includes(BYTE_ORDER_MARK, 1)) return undefined; // one may stand before any document
  const ranges: DocumentRange[] = [];
  let start = 0;
  for (let at = text.indexOf("\n---"); at !== -1; at = text.indexOf("\n---", at + 1)) {
    if (!isBlankAt(text, at + 4)) continue;
    ranges.push({ start, end: at + 1 });
    start = at + 1;
  }
  ranges.push({ start, end: text.length });
  return ranges;
}

/** Whether the range starts with a marker: then it is a document even without content. */
export function isMarked(text: string, { start }: DocumentRange): boolean {
  return text.startsWith("---", start) && isBlankAt(text, start + 3);
}

function isBlankAt(text: string, at: number): boolean {
  return at >= text.length || " \t\r\n".includes(text[at]!);
}
