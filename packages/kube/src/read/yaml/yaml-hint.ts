// Advice for a line that YAML cannot read: the two ways in which an expression that is not quoted breaks it, indentation, and an object
// that begins without a line before it that says so.

/** The value of a key on one line: `- expression: !object.a`. */
const VALUE = /^\s*(?:- +)*[\w./-]+:[ \t]+(?<value>[^"'|>\s].*)$/;

/** Advice about an error in a line, for the command and editors alike. `column`: where the error is, from 1. */
export function yamlHint(line: string | undefined, column: number): string | undefined {
  if (/^ *\t/.test(line ?? "")) return "indent with spaces; YAML does not allow tabs";
  const value = VALUE.exec(line ?? "")?.groups?.value;
  if (value !== undefined && /^!(?!!)/.test(value))
    return "YAML reads a leading ! as a tag; quote the expression, or write it below `>-`";
  if (value !== undefined && /:(?:\s|$)/.test(value) && !/^[[{]/.test(value))
    return "YAML reads a colon followed by a space as a map; quote the expression, or write it below `>-`";
  if (column === 1 && /^ /.test(line ?? "")) return "check the indentation: it does not fit the lines above";
  if (column === 1 && /^(?:apiVersion|kind):/.test(line ?? ""))
    return "if another object begins here, put a line with --- before it";
  return undefined;
}
