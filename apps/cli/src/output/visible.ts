// Data of users on its way to a terminal, a log or a report. Names, messages and file names come from untrusted people: characters that
// would move the cursor, change colours, turn text around, hide in it, forge a line or command a CI runner are written out instead.

import { randomUUID } from "node:crypto";

/**
 * The characters that act without being seen: C0 without tab and line feed, DEL, C1, line separators, direction marks and overrides,
 * characters without width, byte order marks, tags, halves of pairs. Joiners between letters beyond Latin, or emoji, belong to them and
 * stay.
 */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f]",
    "[\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]",
    "[\\u200c\\u200d](?:(?<![^\\u0000-\\u024f].)|(?![^\\u0000-\\u024f]))",
    "\\udb40[\\udc00-\\udfff]",
    "[\\ud800-\\udbff](?![\\udc00-\\udfff])",
    "[\\udc00-\\udfff](?<![\\ud800-\\udbff].)",
  ].join("|"),
  "g",
);

/** Runners of GitHub, Azure and TeamCity obey `##[name]`, `##vso[name]` and `##teamcity[name]` anywhere in a line. */
const RUNNER = /##(?=\w*\[)/g;

/** Text with lines, such as an expression: hidden characters are written out as `\u001b`, which JSON reads back. */
export function visible(text: string): string {
  const shown = text.replaceAll(HIDDEN, writtenOut);
  return shown.includes("##") ? shown.replaceAll(RUNNER, "#\\u0023") : shown;
}

/** A name, a file, a user: the same, and all on one line. */
export function oneLine(text: string): string {
  return visible(unbroken(text));
}

/** Line breaks written out, so that data forges no line; the rest is left to `screened`. For text that may be painted already. */
export function unbroken(text: string): string {
  return text.replaceAll("\r", "\\r").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** The units of a character by their numbers: `\u001b`, as in JSON. */
export function writtenOut(character: string): string {
  let shown = "";
  for (let i = 0; i < character.length; i++) shown += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return shown;
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

/** GitHub's runner obeys lines that start with `::name` after blanks. A blank is looked at once, however many lines are empty. */
function withoutCommands(text: string): string {
  return text.includes("::") ? text.replaceAll(COMMAND, "$1:\\u003a") : text;
}

const COMMAND = new RegExp(`^((?:[^\\S\\n\\r\\u2028\\u2029]|${MARK}\\[\\d+m)*)::`, "gm");
