// The items of a large List in JSON, found without reading them: each is then read on its own, and a place in the last one does not cost a
// walk through all before it. Returns nothing if the text has another form, and the reader reports the error.

import type { ListParts, Part } from "./split.ts";

/** Undefined when the text is no object with a list of `items`. */
export function splitJsonList(text: string, { start, end }: Part): ListParts | undefined {
  let at = skipBlanks(text, start);
  if (text[at] !== "{") return undefined;
  do {
    const key = skipBlanks(text, at + 1);
    if (text[key] !== '"') return undefined;
    const keyEnd = skipString(text, key);
    const colon = skipBlanks(text, keyEnd);
    const value = skipBlanks(text, colon + 1);
    if (text[colon] !== ":") return undefined;
    if (text.slice(key, keyEnd) === '"items"' && text[value] === "[") return splitArray(text, start, value, end);
    at = skipBlanks(text, skipValue(text, value));
  } while (at < end && text[at] === ",");
  return undefined;
}

function splitArray(text: string, start: number, open: number, end: number): ListParts | undefined {
  const items: Part[] = [];
  let at = open;
  do {
    const from = skipBlanks(text, at + 1);
    if (text[from] !== "{") return undefined;
    const to = skipValue(text, from);
    items.push({ start: from, end: to });
    at = skipBlanks(text, to);
  } while (at < end && text[at] === ",");
  if (at >= end || text[at] !== "]") return undefined;
  return { head: { start, end: open + 1 }, items, tail: { start: at, end } };
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Behind the quote that ends a text. */
function skipString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** The offset after a value: an object or list, or everything up to a comma or a closing bracket. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = skipString(text, at);
        break;
      case 0x7b: // { [
      case 0x5b:
        depth++;
        at++;
        break;
      case 0x7d: // } ]
      case 0x5d:
        if (depth === 0) return at;
        depth--;
        at++;
        if (depth === 0) return at;
        break;
      case 0x2c: // ,
        if (depth === 0) return at;
        at++;
        break;
      default:
        at++;
    }
  }
  return text.length;
}
