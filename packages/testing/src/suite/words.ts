// Compares messages with the matchers of a suite: exactly, by a part, or by an RE2 pattern, which takes linear time.

import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import type { ExpectedText } from "./read/document.ts";

export function fits(words: ExpectedText, text: string): boolean {
  if (typeof words === "string") return text === words;
  if (words.contains !== undefined && !text.includes(words.contains)) return false;
  if (words.matches === undefined) return true;
  const regex = compileRegex(words.matches);
  return !isError(regex) && regex.test(text);
}

export function wordsText(words: ExpectedText): string {
  if (typeof words === "string") return words;
  const parts = [
    ...(words.contains === undefined ? [] : [`text with ${JSON.stringify(words.contains)}`]),
    ...(words.matches === undefined ? [] : [`text that matches ${JSON.stringify(words.matches)}`]),
  ];
  return parts.length === 0 ? "any text" : parts.join(" and ");
}
