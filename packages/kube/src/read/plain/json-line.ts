// JSON where YAML is expected, as many clients send it: in one line, an object says the same in both languages unless it has one of the few
// things that they read differently. With such characters it is left to the readers of YAML.

import { findUnusual } from "../find-unusual.ts";
import { ReadFailure } from "../issue.ts";
import { JsonParser } from "../json/json-parser.ts";
import type { ReadSettings } from "../options.ts";
import { LONGEST_KEY } from "./plain-yaml-text.ts";

/** Further lines, tabs, escapes that one of the languages does not have, long integers, and the negative zero. */
const READ_DIFFERENTLY = /\n[^\n]|[\t\r]|\\[^"\\nrt]|\d{16}|[:,[] *-0/;

class NotTheSame extends Error {}
const NOT_THE_SAME = new NotTheSame();

/** The value of a text that is such an object; undefined for every other text. */
export function readJsonLine(text: string, settings: ReadSettings): Record<string, unknown> | undefined {
  if (text.charCodeAt(0) !== 0x7b || text.length > settings.limits.nodes) return undefined;
  if (READ_DIFFERENTLY.test(text) || findUnusual(text, 0) < text.length) return undefined;
  const double = (): never => {
    throw NOT_THE_SAME;
  };
  try {
    const parser = new JsonParser(text, 0, { ...settings, duplicates: "error", double });
    const { value, end } = parser.parse();
    const isWhole = text.slice(end).trimEnd() === "";
    return isWhole && parser.longestKey < LONGEST_KEY ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof NotTheSame || error instanceof ReadFailure || error instanceof RangeError) return undefined;
    throw error;
  }
}
