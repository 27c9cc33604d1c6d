// Diagnostics of a text on a later text, until they are computed again: those before the edit stay, those after it move along, and those
// that the edit touches are dropped.

import type { Diagnostic } from "@celadon/language";

export function carried(diagnostics: readonly Diagnostic[], before: string, after: string): readonly Diagnostic[] {
  if (before === after) return diagnostics;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  const end = before.length - tail;
  const by = after.length - before.length;
  return diagnostics.flatMap((diagnostic) => {
    const { range } = diagnostic;
    if (range.end <= start) return [diagnostic];
    if (range.start < end) return [];
    return [{ ...diagnostic, range: { start: range.start + by, end: range.end + by } }];
  });
}
