// Go's time.Parse for the layouts `2006-01-02` and `2006-01-02T15:04:05`, with the words it has for texts that do not fit.

import { quoteGoTime } from "@celadon/base";
import { Timestamp } from "@celadon/cel";

/** A field of a layout: its example in the layout, how many digits it takes, its largest value. */
interface Part {
  readonly before: string;
  readonly example: string;
  readonly digits: "4" | "2" | "1-2";
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

const DATE_PARTS: readonly Part[] = [
  { before: "", example: "2006", digits: "4", name: "year", min: 0, max: 9999 },
  { before: "-", example: "01", digits: "2", name: "month", min: 1, max: 12 },
  { before: "-", example: "02", digits: "2", name: "day", min: 0, max: 99 }, // checked with its month, at the end
];
const TIME_PARTS: readonly Part[] = [
  { before: "T", example: "15", digits: "1-2", name: "hour", min: 0, max: 23 },
  { before: ":", example: "04", digits: "2", name: "minute", min: 0, max: 59 },
  { before: ":", example: "05", digits: "2", name: "second", min: 0, max: 59 },
];

const WIDTHS: Readonly<Record<Part["digits"], RegExp>> = { "4": /^\d{4}/, "2": /^\d\d/, "1-2": /^\d\d?/ };

/** Midnight UTC of a day, or why the text is not a day. */
export function parseDate(text: string): Timestamp | string {
  return parse(text, "2006-01-02", DATE_PARTS);
}

/** A time without a zone, which is UTC, or why the text is not a time. Seconds may have a fraction. */
export function parseLocalTime(text: string): Timestamp | string {
  return parse(text, "2006-01-02T15:04:05", [...DATE_PARTS, ...TIME_PARTS]);
}

function parse(text: string, layout: string, parts: readonly Part[]): Timestamp | string {
  const values: number[] = [];
  const misfit = (rest: string, example: string): string =>
    `parsing time ${quoteGoTime(text)} as ${quoteGoTime(layout)}: cannot parse ${quoteGoTime(rest)} as ${quoteGoTime(example)}`;
  const refuse = (why: string): string => `parsing time ${quoteGoTime(text)}: ${why}`;
  let rest = text;
  let nanos = 0;
  for (const { before, example, digits, name, min, max } of parts) {
    if (!rest.startsWith(before)) return misfit(rest, before);
    rest = rest.slice(before.length);
    const [matched] = WIDTHS[digits].exec(rest) ?? [];
    if (matched === undefined) return misfit(rest, example);
    const value = Number(matched);
    if (value < min || value > max) return refuse(`${name} out of range`);
    values.push(value);
    rest = rest.slice(matched.length);
    if (name !== "second") continue;
    const [fraction = ""] = /^[.,]\d+/.exec(rest) ?? [];
    nanos = fraction === "" ? 0 : Number(fraction.slice(1, 10).padEnd(9, "0"));
    rest = rest.slice(fraction.length);
  }
  if (rest !== "") return refuse(`extra text: ${quoteGoTime(rest)}`);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = values;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  if (moment.getUTCMonth() !== month - 1 || day === 0) return refuse("day out of range");
  moment.setUTCHours(hour, minute, second);
  return new Timestamp(moment.getTime() / 1000, nanos);
}
