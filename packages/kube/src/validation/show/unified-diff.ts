// The unified diff that some refusals carry: Ratcliff-Obershelp matching as Python's difflib does it, three lines of context.
// Lines that are popular in a long text are not matched on, which shows in the result.

import type { Emulation } from "../../emulation.ts";
import { forgetEmpty } from "../../types/empty-fields.ts";
import { indentedLines, internalTree } from "./internal.ts";

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

type Tag = "equal" | "replace" | "delete" | "insert";

interface Edit {
  readonly tag: Tag;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

const CONTEXT = 3;
/** From this length on, lines that make up more than a hundredth are popular. */
const LONG = 200;

/** The changes between two values of an internal type. A stored object has lost its empty lists and maps. */
export function internalDiff(type: string, before: unknown, after: unknown, by: Emulation): string {
  const stored = forgetEmpty(before);
  return unifiedDiff(indentedLines(internalTree(type, stored, by)), indentedLines(internalTree(type, after, by)));
}

export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  let text = "";
  for (const group of groups(edits(matches(a, b), a.length, b.length))) {
    const [first, last] = [group[0]!, group.at(-1)!];
    text += `@@ -${range(first.a1, last.a2)} +${range(first.b1, last.b2)} @@\n`;
    for (const edit of group) {
      if (edit.tag === "equal") {
        text += lines(" ", a, edit.a1, edit.a2);
        continue;
      }
      if (edit.tag !== "insert") text += lines("-", a, edit.a1, edit.a2);
      if (edit.tag !== "delete") text += lines("+", b, edit.b1, edit.b2);
    }
  }
  return text;
}

function lines(mark: string, of: readonly string[], start: number, end: number): string {
  return of
    .slice(start, end)
    .map((line) => `${mark}${line}\n`)
    .join("");
}

function range(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function matches(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = (a1: number, a2: number, b1: number, b2: number): void => {
    const match = longest(a, b, places, a1, a2, b1, b2);
    if (match.size === 0) return;
    if (a1 < match.a && b1 < match.b) search(a1, match.a, b1, match.b);
    found.push(match);
    if (match.a + match.size < a2 && match.b + match.size < b2)
      search(match.a + match.size, a2, match.b + match.size, b2);
  };
  search(0, a.length, 0, b.length);
  return [...joined(found), { a: a.length, b: b.length, size: 0 }];
}

function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, i) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [i]);
    else known.push(i);
  });
  if (b.length < LONG) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, at] of places) if (at.length > most) places.delete(line);
  return places;
}

function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  a1: number,
  a2: number,
  b1: number,
  b2: number,
): Match {
  let best: Match = { a: a1, b: b1, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = a1; i < a2; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < b1) continue;
      if (j >= b2) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  // Popular lines extend a match though none starts with them.
  while (i > a1 && j > b1 && a[i - 1] === b[j - 1]) {
    i--;
    j--;
    size++;
  }
  while (i + size < a2 && j + size < b2 && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

function joined(found: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of found) {
    const last = result.at(-1);
    if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b) {
      result[result.length - 1] = { ...last, size: last.size + match.size };
    } else result.push(match);
  }
  return result;
}

function edits(found: readonly Match[], aLength: number, bLength: number): Edit[] {
  const result: Edit[] = [];
  let [i, j] = [0, 0];
  for (const { a, b, size } of found) {
    if (i < a || j < b) {
      const tag = i < a && j < b ? "replace" : i < a ? "delete" : "insert";
      result.push({ tag, a1: i, a2: a, b1: j, b2: b });
    }
    [i, j] = [a + size, b + size];
    if (size > 0) result.push({ tag: "equal", a1: a, a2: i, b1: b, b2: j });
  }
  return result.length === 0 ? [{ tag: "equal", a1: 0, a2: aLength, b1: 0, b2: bLength }] : result;
}

function groups(all: readonly Edit[]): Edit[][] {
  const edits = [...all];
  const first = edits[0]!;
  if (first.tag === "equal") {
    edits[0] = { ...first, a1: Math.max(first.a1, first.a2 - CONTEXT), b1: Math.max(first.b1, first.b2 - CONTEXT) };
  }
  const last = edits.at(-1)!;
  if (last.tag === "equal") {
    edits[edits.length - 1] = {
      ...last,
      a2: Math.min(last.a2, last.a1 + CONTEXT),
      b2: Math.min(last.b2, last.b1 + CONTEXT),
    };
  }
  const result: Edit[][] = [];
  let group: Edit[] = [];
  for (const edit of edits) {
    if (edit.tag === "equal" && edit.a2 - edit.a1 > 2 * CONTEXT) {
      group.push({ ...edit, a2: Math.min(edit.a2, edit.a1 + CONTEXT), b2: Math.min(edit.b2, edit.b1 + CONTEXT) });
      result.push(group);
      group = [{ ...edit, a1: Math.max(edit.a1, edit.a2 - CONTEXT), b1: Math.max(edit.b1, edit.b2 - CONTEXT) }];
    } else group.push(edit);
  }
  if (group.length > 0 && !(group.length === 1 && group[0]!.tag === "equal")) result.push(group);
  return result;
}
