// A stream of YAML documents, cut where kubectl cuts files: at every line that starts with `---`. So one document that cannot be read
// leaves the others, and each is read from its own start.

import { trimSpace } from "../../trim-space.ts";

export interface DocumentRange {
  /** The line of its `---`, or the start of the text. */
  readonly start: number;
  /** The beginning of its text. A marker with nothing before it, at the start or behind another, belongs to its document. */
  readonly from: number;
  readonly end: number;
  /** A document even without content, because a marker starts it. */
  readonly isMarked: boolean;
  /** The place of text behind a marker that only a comment may follow. */
  readonly wrongMarker?: number;
}

/** The documents of the text from the offset on. */
export function splitYaml(text: string, from = 0): DocumentRange[] {
  const ranges: DocumentRange[] = [];
  let start = from;
  let isEmpty = true;
  for (let marker = nextMarker(text, from); marker !== -1; marker = nextMarker(text, marker + 1)) {
    if (marker > from || !isEmpty) {
      ranges.push(rangeAt(text, start, marker, ranges.at(-1)));
      start = marker;
    }
    isEmpty = false;
  }
  ranges.push(rangeAt(text, start, text.length, ranges.at(-1)));
  return ranges;
}

/** The next line that starts with `---`, from the start of a line or from the inside of one on. */
function nextMarker(text: string, from: number): number {
  if (text.startsWith("---", from) && (from === 0 || text[from - 1] === "\n")) return from;
  const found = text.indexOf("\n---", from);
  return found === -1 ? -1 : found + 1;
}

function rangeAt(text: string, start: number, end: number, before: DocumentRange | undefined): DocumentRange {
  const isMarked = text.startsWith("---", start);
  if (!isMarked) return { start, from: start, end, isMarked };
  const found = text.indexOf("\n", start);
  const lineEnd = found === -1 || found >= end ? end : found + 1;
  const behind = text.slice(start + 3, lineEnd);
  const content = trimSpace(behind);
  const from = before === undefined || before.from === before.end ? start : lineEnd;
  if (content === "" || content.startsWith("#")) return { start, from, end, isMarked };
  return { start, from, end, isMarked, wrongMarker: start + 3 + behind.indexOf(content) };
}
