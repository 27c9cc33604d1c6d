// Flags of a pattern, and the syntax that changes them: (?i), (?s-m), (?U:…).

import type { CelError } from "../value/error.ts";
import { syntaxError } from "./errors.ts";
import type { Span } from "./escape.ts";

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly ungreedy: boolean;
}

export const NO_FLAGS: Flags = { ignoreCase: false, multiLine: false, dotAll: false, ungreedy: false };

const LETTERS: ReadonlyMap<string, keyof Flags> = new Map([
  ["i", "ignoreCase"],
  ["m", "multiLine"],
  ["s", "dotAll"],
  ["U", "ungreedy"],
]);

/** Reads from `(?` at `open` through `)`, or through `:` which opens a group; flags after a `-` are switched off. */
export function readFlags(
  pattern: string,
  open: number,
  before: Flags,
): Span<{ flags: Flags; group: boolean }> | CelError {
  let flags = before;
  let on = true;
  let sawFlag = false;
  let at = open + 2;
  while (at < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(at) as number);
    at += character.length;
    const flag = LETTERS.get(character);
    if (flag !== undefined) {
      flags = { ...flags, [flag]: on };
      sawFlag = true;
    } else if (character === "-" && on) {
      on = false;
      sawFlag = false;
    } else if ((character === ":" || character === ")") && (on || sawFlag)) {
      return { value: { flags, group: character === ":" }, end: at };
    } else {
      break;
    }
  }
  return syntaxError("invalid or unsupported Perl syntax", pattern.slice(open, at));
}
