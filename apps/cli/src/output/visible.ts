// Data of users on its way to a terminal, a log or a report. Names, messages and file names come from people one does not trust:
// what would move the cursor, change colours, turn text around, forge a line or command a CI runner is written out instead.

import { randomUUID } from "node:crypto";

/** C0 without tab and line feed, DEL, C1, line separators, direction marks and overrides. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** GitHub's runner obeys `##[name]` anywhere in a line. */
const RUNNER = "##[";

/** Text with lines, such as an expression: control characters written out as `\u001b`, which JSON and YAML read back. */
export function visible(text: string): string {
  const shown = text.replaceAll(CONTROL, writtenOut);
  return shown.includes(RUNNER) ? shown.replaceAll(RUNNER, "#\\u0023[") : shown;
}

/** A name, a file, a user: the same, and all on one line. */
export function oneLine(text: string): string {
  return visible(unbroken(text));
}

/** Line breaks written out, so that data forges no line; the rest is left to `screened`. For text that may be painted already. */
export function unbroken(text: string): string {
  return text.replaceAll("\r", "\\r").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** One character by its number: `\u001b`. */
export function writtenOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Starts a colour inside text. Data cannot know it, so that an escape sequence without it is data. Only `screened` writes the real
 * one.
 */
const MARK = `\u001b${randomUUID()}`;

/** `code` is a number of the terminal's colours. */
export function colourMark(code: number): string {
  return `${MARK}[${code}m`;
}

const MARKED = new RegExp(`${MARK}(\\[\\d+m)`, "g");

/** Text for people as it may leave: our colours as the terminal wants them, everything else visible, no command for a CI runner. */
export function screened(text: string): string {
  const parts = withoutCommands(text).split(MARKED);
  // Every second part is the end of a colour's sequence.
  return parts.map((part, i) => (i % 2 === 0 ? visible(part) : `\u001b${part}`)).join("");
}

/** GitHub's runner obeys lines that start with `::name` after blanks. */
function withoutCommands(text: string): string {
  return text.includes("::") ? text.replaceAll(COMMAND, "$1:\\u003a") : text;
}

const COMMAND = new RegExp(`^((?:\\s|${MARK}\\[\\d+m)*)::`, "gm");
