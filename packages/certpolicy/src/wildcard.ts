// Wildcards: `*` stands for any run of characters, dots and slashes included; everything else for itself.

import { findText } from "@celadon/cel/values";

/** Whether the whole text matches, in time that grows with both and no faster: each part is looked for once, where the last one ended. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    if (part === "") continue;
    const found = findText(text, part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether every text matches at least one pattern. */
export function allMatch(patterns: readonly string[], texts: readonly string[]): boolean {
  return texts.every((text) => patterns.some((pattern) => matchesWildcard(pattern, text)));
}
