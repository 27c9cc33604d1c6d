// What to do about a line that YAML cannot read: the two ways in which an expression that is not quoted breaks it.

/** The value of a key that stands on one line: `- expression: !object.a`. */
const VALUE = /^\s*(?:- +)*[\w./-]+:[ \t]+(?<value>[^"'|>\s].*)$/;

export function yamlHint(line: string | undefined): string | undefined {
  const value = VALUE.exec(line ?? "")?.groups?.value;
  if (value === undefined) return undefined;
  if (/^!(?!!)/.test(value)) return "YAML reads a leading ! as a tag; quote the expression, or write it below `>-`";
  if (/:(?:\s|$)/.test(value) && !/^[[{]/.test(value))
    return "YAML reads a colon followed by a space as a mapping; quote the expression, or write it below `>-`";
  return undefined;
}
