// Where a field stands in JSON text, found by walking the text again. Only asked about text that was read without issues,
// so it checks nothing.

import type { JsonPath } from "./position.ts";

/** Offsets of a field's value and, for a member, of its key. */
export interface FieldPlace {
  readonly key: number | undefined;
  readonly value: number;
}

export function locateJson(text: string, start: number, path: JsonPath): FieldPlace | undefined {
  let place: FieldPlace = { key: undefined, value: skipBlanks(text, start) };
  for (const step of path) {
    const next = typeof step === "number" ? elementAt(text, place.value, step) : memberAt(text, place.value, step);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

// The last of several members with one key counts, as it does for the value.
function memberAt(text: string, start: number, name: string): FieldPlace | undefined {
  if (text[start] !== "{") return undefined;
  let found: FieldPlace | undefined;
  let at = skipBlanks(text, start + 1);
  while (text[at] === '"') {
    const key = at;
    at = skipString(text, at);
    const isIt = JSON.parse(text.slice(key, at)) === name;
    at = skipBlanks(text, skipBlanks(text, at) + 1);
    if (isIt) found = { key, value: at };
    at = skipBlanks(text, skipValue(text, at));
    if (text[at] !== ",") return found;
    at = skipBlanks(text, at + 1);
  }
  return found;
}

function elementAt(text: string, start: number, index: number): FieldPlace | undefined {
  if (text[start] !== "[") return undefined;
  let at = skipBlanks(text, start + 1);
  if (text[at] === "]") return undefined;
  for (let i = 0; ; i++) {
    if (i === index) return { key: undefined, value: at };
    at = skipBlanks(text, skipValue(text, at));
    if (text[at] !== ",") return undefined;
    at = skipBlanks(text, at + 1);
  }
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const char = text[at];
    if (char === '"') at = skipString(text, at);
    else if (char === "{" || char === "[") {
      depth++;
      at++;
    } else if (char === "}" || char === "]") {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else return skipScalar(text, at);
    if (depth === 0) return at;
  }
}

function skipScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !" \t\r\n,]}".includes(text[at]!)) at++;
  return at;
}

function skipString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (" \t\r\n".includes(text[at] ?? "x")) at++;
  return at;
}
