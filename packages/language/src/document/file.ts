// An open file: its text cut into parts. A change reads only the parts whose text changed.

import { type TextEdit, type TextRange, touches } from "../text/range.ts";
import { SourceText } from "../text/source-text.ts";
import { Part, type Resource } from "./part.ts";

/** A part and its current place in the file. */
export interface PlacedPart {
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** A resource, and where it is in a file. */
export interface PlacedResource {
  readonly uri: string;
  readonly resource: Resource;
  /** The start of the part that holds it. */
  readonly start: number;
}

/** A file of the workspace: its text, cut into parts. */
export class File {
  readonly uri: string;
  readonly source: SourceText;
  readonly parts: readonly PlacedPart[];
  #resources: readonly PlacedResource[] | undefined;

  constructor(uri: string, text: string, before?: File) {
    this.uri = uri;
    this.source = new SourceText(text);
    const known = new Map(before?.parts.map(({ part }) => [part.text, part]));
    const used = new Set<Part>();
    this.parts = cutParts(text).map(({ start, end }) => {
      const own = text.slice(start, end);
      const old = known.get(own);
      // Two documents with one text are two.
      const part = old !== undefined && !used.has(old) ? old : new Part(own);
      used.add(part);
      return { part, start, end };
    });
  }

  get text(): string {
    return this.source.text;
  }

  partAt(offset: number): PlacedPart {
    // At the seam of two, the cursor is in the later one.
    return this.parts.findLast((part) => touches(part, offset)) ?? this.parts.at(-1)!;
  }

  resources(): readonly PlacedResource[] {
    this.#resources ??= this.parts.flatMap(({ part, start }) =>
      part.resources.map((resource) => ({ uri: this.uri, resource, start })),
    );
    return this.#resources;
  }

  with(edits: readonly TextEdit[]): File {
    return new File(this.uri, applyEdits(this.text, edits), this);
  }
}

/** Edits refer to one text and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let changed = text;
  for (const { range, text: put } of [...edits].sort((a, b) => b.range.start - a.range.start)) {
    changed = changed.slice(0, range.start) + put + changed.slice(range.end);
  }
  return changed;
}

/** A line that starts with `---` starts a document wherever it stands. Directives and `...` are rare: then the text is one part. */
function cutParts(text: string): TextRange[] {
  if (/^\ufeff?\s*[{[]/.test(text) || /^(?:%|\.\.\.(?:\s|$))/m.test(text)) return [{ start: 0, end: text.length }];
  const parts: TextRange[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/^---(?=[ \t\r\n]|$)/gm)) {
    if (index === 0) continue;
    parts.push({ start, end: index });
    start = index;
  }
  parts.push({ start, end: text.length });
  return parts;
}
