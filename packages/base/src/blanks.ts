// Line breaks and ends of texts in one walk. The obvious patterns, `\s*\n\s*` and `x+$`, try every run of such characters again from each
// of its characters: half a minute for a text of a hundred thousand blanks.

/** The text on one line: a separator for each line break with the white space around it. */
export function joinLines(text: string, separator = " "): string {
  return text.replaceAll(/\s+/g, (blanks) => (blanks.includes("\n") ? separator : blanks));
}

/** The text without the characters at its end that a pattern for one character matches. */
export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
