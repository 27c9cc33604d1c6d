// Anchors, aliases, tags and directives.

import { decodeUtf8 } from "@celadon/base";
import { ReadFailure } from "../issue.ts";
import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, isNameCharacter } from "./yaml-cursor.ts";
import type { NameToken, TagDirectiveToken, TagToken, VersionToken } from "./yaml-token.ts";

/** The characters that may follow the name of an anchor without a blank. */
const NAME_ENDS: ReadonlySet<string> = new Set([..."?:,]}%@`"]);
const URI = new Set([...";/?:@&=+$,.!~*'()[]%"]);

/** `&name` or `*name`. */
export function scanName(cursor: Cursor): NameToken {
  const start = cursor.at;
  const type = cursor.text[start] === "&" ? "anchor" : "alias";
  cursor.at++;
  const name = takeName(cursor);
  if (name === "" || !(isBlankOrEnd(cursor.code()) || NAME_ENDS.has(cursor.text[cursor.at]!))) {
    const message =
      type === "anchor"
        ? "YAML reads & as an anchor, which needs a name of letters, digits, - and _; quote the text"
        : "YAML reads * as an alias, which needs a name of letters, digits, - and _; quote the text";
    throw new ReadFailure("syntax", message, start);
  }
  return { type, name, start, end: cursor.at };
}

/** `!`, `!suffix`, `!handle!suffix` or `!<uri>`. */
export function scanTag(cursor: Cursor): TagToken {
  const start = cursor.at;
  const { handle, suffix } = cursor.text[start + 1] === "<" ? takeVerbatim(cursor) : takeShorthand(cursor);
  if (!isBlankOrEnd(cursor.code())) throw badTag(start);
  return { type: "tag", handle, suffix, start, end: cursor.at };
}

type Tag = Pick<TagToken, "handle" | "suffix">;

function takeVerbatim(cursor: Cursor): Tag {
  const start = cursor.at;
  cursor.at += 2;
  const suffix = takeUri(cursor, start);
  if (suffix === "" || cursor.text[cursor.at] !== ">") throw badTag(start);
  cursor.at++;
  return { handle: "", suffix };
}

function takeShorthand(cursor: Cursor): Tag {
  const start = cursor.at;
  const handle = takeHandle(cursor);
  if (handle.length > 1 && handle.endsWith("!")) {
    const suffix = takeUri(cursor, start);
    if (suffix === "") throw badTag(start);
    return { handle, suffix };
  }
  const suffix = handle.slice(1) + takeUri(cursor, start);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

/** `!`, and `name` or `name!` behind it. */
function takeHandle(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at++;
  takeName(cursor);
  if (cursor.text[cursor.at] === "!") cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function takeName(cursor: Cursor): string {
  const start = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** The characters of an address from the cursor on, with its `%` escapes decoded. */
function takeUri(cursor: Cursor, start: number): string {
  let uri = "";
  for (;;) {
    const char = cursor.text[cursor.at] ?? "";
    if (char === "%") uri += takeUriCharacter(cursor, start);
    else if (isNameCharacter(cursor.code()) || URI.has(char)) {
      uri += char;
      cursor.at++;
    } else return uri;
  }
}

const OCTET = /%([0-9a-fA-F]{2})/y;

/** One character in UTF-8, each of its bytes as `%xx`. */
function takeUriCharacter(cursor: Cursor, start: number): string {
  const bytes: number[] = [];
  let length = 1;
  while (bytes.length < length) {
    OCTET.lastIndex = cursor.at;
    const octet = OCTET.exec(cursor.text);
    if (octet === null) throw badTag(start);
    const byte = Number.parseInt(octet[1]!, 16);
    if (bytes.length === 0) length = utf8Width(byte);
    else if ((byte & 0xc0) !== 0x80) throw badTag(start);
    if (length === 0) throw badTag(start);
    bytes.push(byte);
    cursor.at += 3;
  }
  return decodeUtf8(Uint8Array.from(bytes)) ?? "\ufffd";
}

function utf8Width(byte: number): number {
  if ((byte & 0x80) === 0) return 1;
  if ((byte & 0xe0) === 0xc0) return 2;
  if ((byte & 0xf0) === 0xe0) return 3;
  return (byte & 0xf8) === 0xf0 ? 4 : 0;
}

function badTag(start: number): ReadFailure {
  return new ReadFailure("syntax", "YAML reads a leading ! as a tag; quote the text", start);
}

/** `%YAML 1.1` or `%TAG !handle! prefix`, and the rest of its line. */
export function scanDirective(cursor: Cursor): VersionToken | TagDirectiveToken {
  const start = cursor.at;
  cursor.at++;
  const name = takeName(cursor);
  if (!isBlankOrEnd(cursor.code()) || (name !== "YAML" && name !== "TAG")) {
    throw new ReadFailure("syntax", "a line that starts with % is a directive, and only %YAML and %TAG exist", start);
  }
  cursor.skipBlanks();
  const token = name === "YAML" ? takeVersion(cursor, start) : takeTagDirective(cursor, start);
  cursor.skipBlanks();
  if (cursor.text[cursor.at] === "#") cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) {
    throw new ReadFailure("syntax", `unexpected text after a %${name} directive`, cursor.at);
  }
  if (isBreak(cursor.code())) cursor.takeBreak();
  return token;
}

function takeVersion(cursor: Cursor, start: number): VersionToken {
  const from = cursor.at;
  const major = takeDigits(cursor);
  const isWhole = major && cursor.text[cursor.at] === "." && cursor.at++ >= 0 && takeDigits(cursor);
  if (!isWhole) throw new ReadFailure("syntax", "a %YAML directive needs a version such as 1.1", start);
  return { type: "version", version: cursor.text.slice(from, cursor.at), start, end: cursor.at };
}

/** One or two digits. */
function takeDigits(cursor: Cursor): boolean {
  const from = cursor.at;
  while (isDigit(cursor.code())) cursor.at++;
  return cursor.at > from && cursor.at <= from + 2;
}

function takeTagDirective(cursor: Cursor, start: number): TagDirectiveToken {
  const bad = new ReadFailure(
    "syntax",
    "a %TAG directive needs a handle and a prefix: %TAG !e! tag:example.com:",
    start,
  );
  if (cursor.text[cursor.at] !== "!") throw bad;
  const handle = takeHandle(cursor);
  if ((handle !== "!" && !handle.endsWith("!")) || !isBlank(cursor.code())) throw bad;
  cursor.skipBlanks();
  const prefix = takeUri(cursor, start);
  if (prefix === "" || !isBlankOrEnd(cursor.code())) throw bad;
  return { type: "tag-directive", handle, prefix, start, end: cursor.at };
}
