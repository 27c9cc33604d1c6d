// `string.format`: clauses replaced by arguments. A dialect (format.ts, format-legacy.ts) decides which types a clause accepts and how it
// looks; evaluation and the compile-time validator read the same table.

import { type List, listGet, listSize } from "../../value/collection/list.ts";
import { type CelError, celError, isError } from "../../value/error.ts";
import { grow, work } from "../../value/size/work.ts";
import type { Kind } from "../../value/type.ts";
import { typeName } from "../../value/type-of.ts";
import type { Value } from "../../value/value.ts";
import { MAX_TEXT_LENGTH, textTooLong } from "../string/text-limit.ts";
import { type Format, type FormatVerb, readFormat } from "./format-clauses.ts";

export interface VerbRule {
  /** The kinds of types that the validator lets pass. */
  readonly kinds: readonly Kind[];
  /** The message for other types: `… , was given <type>` follows. */
  readonly refusal: string;
  /** The text; undefined for a value the clause does not take. */
  readonly format: (value: Value, precision: number | bigint | undefined) => string | CelError | undefined;
}

export type Dialect = { readonly [V in FormatVerb]: VerbRule };

export function formatString(dialect: Dialect, text: string, args: List): string | CelError {
  return formatClauses(dialect, readFormat(text), args);
}

/** For calls with a constant text, which is then read once. */
export function constantFormat(dialect: Dialect): (constants: readonly Value[]) => FormatCall | undefined {
  return ([text]) => {
    if (typeof text !== "string") return undefined;
    const format = readFormat(text);
    return (_text, args) => formatClauses(dialect, format, args);
  };
}

type FormatCall = (text: string, args: List) => string | CelError;

function formatClauses(dialect: Dialect, format: Format, args: List): string | CelError {
  const { texts, clauses, failure } = format;
  const size = listSize(args);
  let formatted = texts[0] as string;
  for (let i = 0; i < clauses.length; i++) {
    if (i >= size) return missingArgument(i);
    const value = listGet(args, i);
    if (isError(value)) return value;
    const { verb, precision } = clauses[i] as (typeof clauses)[number];
    const rule = dialect[verb];
    const part = rule.format(value, precision) ?? formatError(refusalOf(rule, typeName(value)));
    if (typeof part !== "string") return celError(part.code, `error during formatting: ${part.message}`);
    work(1);
    grow(part.length + (texts[i + 1] as string).length);
    formatted += part + (texts[i + 1] as string);
    if (formatted.length > MAX_TEXT_LENGTH) return textTooLong();
  }
  if (failure === undefined) return formatted;
  return clauses.length >= size ? missingArgument(clauses.length) : formatError(failure.message);
}

export function refusalOf(rule: VerbRule, type: string): string {
  return `${rule.refusal}, was given ${type}`;
}

export const formatError = (message: string): CelError => celError("invalid_argument", message);

const missingArgument = (index: number): CelError => formatError(missingArgumentMessage(index));

export const missingArgumentMessage = (index: number): string => `index ${index} out of range`;

/** The arguments that `%s` takes in every dialect. */
// biome-ignore format: one group per line
export const TEXT_KINDS: readonly Kind[] = [
  "list", "map",
  "int", "uint", "double", "bool", "string",
  "timestamp", "bytes", "duration", "type", "null",
];

export const TEXT_REFUSAL: string =
  "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
