// Finds a field in JSON text by walking the text again. The text was read without issues, so it checks nothing. The members of an object or
// list that was walked through are kept: asking for every item of a long list walks it once.

import type { FieldPlace, Locate } from "../scalar-style.ts";

type Child = string | number;
type Spot = Pick<FieldPlace, "key" | "value">;

/** Finds fields of the value that starts at the offset. */
export function locateJson(text: string, start: number): Locate {
  const known = new Map<number, ReadonlyMap<Child, Spot>>();
  return (path) => {
    let spot: Spot = { key: undefined, value: skipBlanks(text, start) };
    for (const step of path) {
      let children = known.get(spot.value);
      if (children === undefined) {
        children = childrenOf(text, spot.value);
        known.set(spot.value, children);
      }
      const next = children.get(step);
      if (next === undefined) return undefined;
      spot = next;
    }
    return { ...spot, scalar: scalarAt(text, spot.value) };
  };
}

function scalarAt(text: string, start: number): FieldPlace["scalar"] {
  if (text[start] === "{" || text[start] === "[") return undefined;
  return { start, end: skipValue(text, start), style: text[start] === '"' ? "double" : "plain" };
}

// The last of several members with one key counts, as it does for the value.
function childrenOf(text: string, start: number): ReadonlyMap<Child, Spot> {
  const children = new Map<Child, Spot>();
  const isList = text[start] === "[";
  if (!isList && text[start] !== "{") return children;
  let at = skipBlanks(text, start + 1);
  while (text[at] !== "]" && text[at] !== "}") {
    if (isList) children.set(children.size, { key: undefined, value: at });
    else {
      const key = at;
      at = skipString(text, at);
      const name = JSON.parse(text.slice(key, at)) as string;
      at = skipBlanks(text, skipBlanks(text, at) + 1);
      children.set(name, { key, value: at });
    }
    at = skipBlanks(text, skipValue(text, at));
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return children;
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
