// The format of `string.format`, parsed into clauses: `%s`, `%.2f`, `%%`. Parsing stops at the first invalid clause and
// keeps its error, because arguments before it are formatted, and their errors reported, first.

import { BoundedMap } from "@celadon/base";

export type FormatVerb = "s" | "d" | "f" | "e" | "b" | "x" | "X" | "o";

export interface Clause {
  readonly verb: FormatVerb;
  /** Digits requested with `.N`; undefined if absent. Up to 64 bits, so that it is printed as it was read. */
  readonly precision: number | bigint | undefined;
}

export interface Format {
  /** Text before, between and after the clauses: one more than there are clauses. */
  readonly texts: readonly string[];
  readonly clauses: readonly Clause[];
  /** The problem after the last of `clauses`. */
  readonly failure: FormatFailure | undefined;
}

export interface FormatFailure {
  /** Whether the text ends after the `%`: the checker reports it before a missing argument, evaluation after it. */
  readonly atEnd: boolean;
  readonly message: string;
}

/** Formats are constants as a rule, and rules are few. */
const CACHE_CAPACITY = 256;

const cache = new BoundedMap<string, Format>(CACHE_CAPACITY);

export function readFormat(text: string): Format {
  let format = cache.use(text);
  if (format === undefined) {
    format = parse(text);
    cache.set(text, format);
  }
  return format;
}

function parse(text: string): Format {
  const texts: string[] = [];
  const clauses: Clause[] = [];
  let literal = "";
  let from = 0;
  let failure: FormatFailure | undefined;
  for (;;) {
    const percent = text.indexOf("%", from);
    if (percent < 0) break;
    literal += text.slice(from, percent);
    if (text[percent + 1] === "%") {
      literal += "%";
      from = percent + 2;
      continue;
    }
    const read = readClause(text, percent + 1);
    texts.push(literal);
    literal = "";
    if ("message" in read) {
      failure = read;
      break;
    }
    clauses.push(read);
    from = read.end;
  }
  texts.push(failure === undefined ? literal + text.slice(from) : "");
  return { texts, clauses, failure };
}

type ClauseAt = Clause & { readonly end: number };

const PRECISION = /\.([0-9]*)/y;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

function readClause(text: string, start: number): ClauseAt | FormatFailure {
  if (start === text.length) return { atEnd: true, message: "unexpected end of string" };
  let at = start;
  let precision: number | bigint | undefined;
  PRECISION.lastIndex = start;
  const digits = PRECISION.exec(text)?.[1];
  if (digits !== undefined) {
    at = PRECISION.lastIndex;
    if (at === text.length) return clauseFailure(`${IN_PRECISION}could not find end of precision specifier`);
    const read = readInt(digits);
    if (typeof read === "string") {
      return clauseFailure(`${IN_PRECISION}error while converting precision to integer: ${read}`);
    }
    precision = read;
  }
  const verb = text[at] as string;
  if (!isVerb(verb)) {
    return clauseFailure(`unrecognized formatting clause "${firstByte(text.codePointAt(at) as number)}"`);
  }
  return { verb, precision, end: at + 1 };
}

const IN_PRECISION = "error while parsing precision: ";

function clauseFailure(message: string): FormatFailure {
  return { atEnd: false, message: `could not parse formatting clause: ${message}` };
}

function isVerb(char: string): char is FormatVerb {
  return "sdfebxXo".includes(char);
}

/** Go's strconv.Atoi of digits: the number, or its complaint. */
function readInt(digits: string): number | bigint | string {
  if (digits === "") return 'strconv.Atoi: parsing "": invalid syntax';
  if (digits.length <= 15) return Number(digits);
  const significant = digits.replace(/^0+(?=.)/, "");
  const value = significant.length > 19 ? undefined : BigInt(significant);
  if (value === undefined || value > MAX_INT64) return `strconv.Atoi: parsing "${digits}": value out of range`;
  return value;
}

/** The reference reads bytes, so of a character beyond ASCII it shows the first byte of its UTF-8 form, as Latin-1. */
function firstByte(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6));
  return String.fromCharCode(point < 0x10000 ? 0xe0 | (point >> 12) : 0xf0 | (point >> 18));
}
