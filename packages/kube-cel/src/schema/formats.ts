// Texts with a format that CEL sees as something else: dates and times, durations, bytes. Upstream reads them with
// kube-openapi's strfmt, whose oddities are kept: durations in words, date-times without a zone, URL-safe base64.

import { decodeBase64 } from "@celadon/base";
import { CelError, type Duration, isError, parseDuration, parseTimestamp, Timestamp } from "@celadon/cel";
import { durationFromNanos } from "@celadon/cel/values";
import { parseDate, parseLocalTime } from "./go-time.ts";

/** Reads a text of the format. */
export type FormatReader = (text: string) => Timestamp | Duration | Uint8Array | CelError;

const invalid = (what: string, text: string, why: string): CelError =>
  new CelError("invalid_argument", `Invalid ${what} ${text}: ${why}`);

/** Formats that change the type; a text of any other format is just text. */
export const FORMAT_READERS: ReadonlyMap<string, FormatReader> = new Map<string, FormatReader>([
  ["date", readDate],
  ["date-time", readDateTime],
  ["duration", readDuration],
  ["byte", readBytes],
]);

function readDate(text: string): Timestamp | CelError {
  const read = parseDate(text);
  return typeof read === "string" ? invalid("date formatted string", text, read) : read;
}

/** RFC 3339 with any fraction, or the same without a zone. The empty text is the epoch. */
function readDateTime(text: string): Timestamp | CelError {
  if (text === "") return new Timestamp(0, 0);
  const exact = parseTimestamp(text);
  if (!isError(exact)) return exact;
  const local = parseLocalTime(text);
  return typeof local === "string" ? invalid("date-time formatted string", text, local) : local;
}

function readDuration(text: string): Duration | CelError {
  const exact = parseDuration(text);
  if (!isError(exact)) return exact;
  const read = parseWordyDuration(text);
  return typeof read === "string" ? invalid("duration", text, read) : read;
}

function readBytes(text: string): Uint8Array | CelError {
  const read = decodeBase64(text, { url: true });
  return typeof read === "number"
    ? invalid("byte formatted string", text, `illegal base64 data at input byte ${read}`)
    : read;
}

const AMOUNT = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;

/** The last name of a unit also stands for every longer word: `min` for `minutes`. */
const UNITS: readonly { readonly names: readonly string[]; readonly nanos: bigint }[] = [
  { names: ["ns", "nano"], nanos: 1n },
  { names: ["us", "µs", "micro"], nanos: 1_000n },
  { names: ["ms", "milli"], nanos: 1_000_000n },
  { names: ["s", "sec"], nanos: 1_000_000_000n },
  { names: ["m", "min"], nanos: 60_000_000_000n },
  { names: ["h", "hr", "hour"], nanos: 3_600_000_000_000n },
  { names: ["d", "day"], nanos: 86_400_000_000_000n },
  { names: ["w", "wk", "week"], nanos: 604_800_000_000_000n },
];

const MAX_INT64 = 2n ** 63n - 1n;

/** `3 days 2 hours`: amounts with a unit anywhere in the text, added up; the rest of the text does not matter. */
function parseWordyDuration(text: string): Duration | string {
  let total = 0n;
  let found = false;
  for (const [, digits = "", word = ""] of text.matchAll(AMOUNT)) {
    if (digits.length > 100 || BigInt(digits) > MAX_INT64)
      return `strconv.Atoi: parsing "${digits}": value out of range`;
    const unit = UNITS.find(({ names }) => isUnit(word.toLowerCase(), names));
    if (unit === undefined) continue;
    found = true;
    total = BigInt.asIntN(64, total + BigInt(digits) * unit.nanos);
  }
  if (!found) return `unable to parse ${text} as duration`;
  return durationFromNanos(total) ?? `unable to parse ${text} as duration`;
}

function isUnit(word: string, names: readonly string[]): boolean {
  return names.includes(word) || word.startsWith(names.at(-1) as string);
}
