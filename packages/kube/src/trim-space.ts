// Texts without the blanks at their ends, as Go's strings.TrimSpace leaves them.

/** The runes that count: JavaScript's trim also takes U+FEFF and leaves U+0085. */
const SPACE = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const START = new RegExp(`^${SPACE}+`, "u");
const BLANK = new RegExp(SPACE, "u");

/** A text without the white space around it, as Go's strings.TrimSpace cuts it. */
export function trimSpace(text: string): string {
  const rest = text.replace(START, "");
  let end = rest.length;
  // A pattern for the end would try every run of blanks in between.
  while (end > 0 && BLANK.test(rest[end - 1]!)) end--;
  return rest.slice(0, end);
}
