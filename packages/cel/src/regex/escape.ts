// Escapes that stand for one character: \n, \x41, \x{1F600}, \012, \.

import type { CelError } from "../value/error.ts";
import { syntaxError } from "./errors.ts";
import { MAX_CODE } from "./ranges.ts";

/** Something read from a pattern, and where reading goes on. */
export interface Span<T> {
  readonly value: T;
  readonly end: number;
}

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);
const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEX = /[0-9A-Fa-f]/;

/** Reads the escape whose backslash is at `at`. */
export function readEscape(pattern: string, at: number): Span<number> | CelError {
  const code = pattern.codePointAt(at + 1);
  if (code === undefined) return syntaxError("trailing backslash at end of expression", "");
  const character = String.fromCodePoint(code);
  if (character === "x") return readHex(pattern, at);
  const control = CONTROLS.get(character);
  if (control !== undefined) return { value: control, end: at + 2 };
  OCTAL.lastIndex = at + 1;
  const octal = OCTAL.exec(pattern);
  if (octal !== null) return { value: Number.parseInt(octal[0], 8), end: at + 1 + octal[0].length };
  if (code < 0x80 && !/[0-9A-Za-z]/.test(character)) return { value: code, end: at + 2 };
  return syntaxError("invalid escape sequence", pattern.slice(at, at + 1 + character.length));
}

/** `\x41` or `\x{41}`. The blamed text ends with the first character that does not fit. */
function readHex(pattern: string, at: number): Span<number> | CelError {
  const braced = pattern[at + 2] === "{";
  let end = braced ? at + 3 : at + 2;
  let value = 0;
  for (let digits = 0; end < pattern.length; digits++) {
    const character = String.fromCodePoint(pattern.codePointAt(end) as number);
    if (braced && character === "}" && digits > 0) return { value, end: end + 1 };
    end += character.length;
    if (!HEX.test(character)) {
      // Go reads both digits of the short form before it looks at them.
      if (!braced && digits === 0) end += String.fromCodePoint(pattern.codePointAt(end) ?? 0x20).length;
      break;
    }
    value = value * 16 + Number.parseInt(character, 16);
    if (value > MAX_CODE) break;
    if (!braced && digits === 1) return { value, end };
  }
  return syntaxError("invalid escape sequence", pattern.slice(at, end));
}
