// The text of a scalar in a document that cannot be read as a whole.

import { readDocument } from "@celadon/kube/read";
import { type ScalarText, scalarText } from "../document/scalar-text.ts";
import type { YamlCursor } from "./yaml-cursor.ts";

/** Reads a field of a document that cannot be parsed: the field is read by itself, and where even that fails, as it stands. */
export function looseScalar(text: string, cursor: YamlCursor & { readonly at: "value" }): ScalarText {
  const { from, range } = cursor;
  const head = text
    .slice(from, range.start)
    .replace(/^( *)((?:- +)+)/, (_, blanks, dashes) => blanks + dashes.replace(/-/g, " "));
  const own = `${head}${text.slice(range.start, range.end)}\n`;
  const read = /:\s*$/.test(head) ? readDocument(own) : [];
  if ("value" in read && typeof read.value === "object" && read.value !== null) {
    const [[key, value] = ["", undefined]] = Object.entries(read.value);
    const found = typeof value === "string" ? scalarText(read, [key], value, from) : undefined;
    if (found !== undefined) return found;
  }
  const quoted = /^["']/.test(text.slice(range.start, range.end)) ? 1 : 0;
  const start = range.start + quoted;
  const raw = text
    .slice(start, range.end)
    .replace(/(["'])$/, (end) => (quoted === 1 && text[range.start] === end ? "" : end));
  const clamp = (offset: number): number => Math.max(0, Math.min(offset, raw.length));
  return {
    text: raw,
    style: quoted === 1 ? "double" : "plain",
    range,
    toSource: (offset) => start + clamp(offset),
    toValue: (source) => clamp(source - start),
  };
}
