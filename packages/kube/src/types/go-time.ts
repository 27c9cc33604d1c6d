// Times as Go's time.Parse reads them, with its errors: RFC 3339, for one type with any fraction (which is cut), for the other
// with exactly six digits. Written in UTC.

import { quoteGoTime } from "@celadon/base";

const TIME_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const ZERO = "0001-01-01T00:00:00Z";

/** The text a server writes, or null for the zero time; `error` if it is no time. */
export type TimeResult = { readonly text: string | null } | { readonly error: string };

/** A time of RFC 3339 with any fraction, which is cut. */
export function readTime(text: string): TimeResult {
  if (PLAIN.test(text)) return { text: text === ZERO ? null : text };
  return new TimeReader(text, TIME_LAYOUT).read();
}

export function readMicroTime(text: string): TimeResult {
  return new TimeReader(text, MICRO_LAYOUT).read();
}

class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

class TimeReader {
  private readonly text: string;
  private readonly layout: string;
  private at = 0;

  constructor(text: string, layout: string) {
    this.text = text;
    this.layout = layout;
  }

  read(): TimeResult {
    try {
      return { text: this.parse() };
    } catch (failure) {
      if (failure instanceof Failure) return { error: failure.message };
      throw failure;
    }
  }

  private parse(): string | null {
    const year = this.digits(4, "2006");
    this.literal("-");
    const month = this.inRange(this.digits(2, "01"), 1, 12, "month");
    this.literal("-");
    const day = this.digits(2, "02");
    this.literal("T");
    const hour = this.inRange(this.hour(), 0, 23, "hour");
    this.literal(":");
    const minute = this.inRange(this.digits(2, "04"), 0, 59, "minute");
    this.literal(":");
    const second = this.inRange(this.digits(2, "05"), 0, 59, "second");
    const isMicro = this.layout === MICRO_LAYOUT;
    const micros = isMicro ? this.micros() : this.skipFraction();
    const offset = this.zone();
    if (this.at < this.text.length) this.fail(`: extra text: ${quoteGoTime(this.rest())}`);
    if (day < 1 || day > daysIn(year, month)) this.fail(": day out of range");
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute - offset, second, 0);
    const shown = `${dateText(date)}${isMicro ? `.${micros}` : ""}Z`;
    // A fraction of a second after the zero time is not the zero time.
    return dateText(date) === "0001-01-01T00:00:00" && Number(micros) === 0 ? null : shown;
  }

  private rest(): string {
    return this.text.slice(this.at);
  }

  private isDigit(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return unit >= 48 && unit <= 57;
  }

  private digits(count: number, element: string): number {
    for (let i = 0; i < count; i++) if (!this.isDigit(this.at + i)) this.cannotParse(element);
    this.at += count;
    return Number(this.text.slice(this.at - count, this.at));
  }

  /** The one number that may have a single digit. */
  private hour(): number {
    return this.digits(this.isDigit(this.at + 1) ? 2 : 1, "15");
  }

  private literal(char: string): void {
    if (this.text[this.at] !== char) this.cannotParse(char);
    this.at++;
  }

  private inRange(n: number, min: number, max: number, what: string): number {
    if (n < min || n > max) this.fail(`: ${what} out of range`);
    return n;
  }

  /** The digits of a fraction that the layout does not ask for. */
  private skipFraction(): string {
    const mark = this.text[this.at];
    if ((mark !== "." && mark !== ",") || !this.isDigit(this.at + 1)) return "";
    const start = ++this.at;
    while (this.isDigit(this.at)) this.at++;
    return this.text.slice(start, this.at);
  }

  private micros(): string {
    const mark = this.text[this.at];
    const digits = this.text.slice(this.at + 1, this.at + 7);
    if ((mark !== "." && mark !== ",") || !/^\d{6}$/.test(digits)) this.cannotParse(".000000");
    this.at += 7;
    return digits;
  }

  /** Minutes east of Greenwich. */
  private zone(): number {
    if (this.text[this.at] === "Z") {
      this.at++;
      return 0;
    }
    const match = /^([+-])(\d\d):(\d\d)/.exec(this.rest());
    if (match === null) this.cannotParse("Z07:00");
    this.at += 6;
    const hours = this.inRange(Number(match[2]), 0, 24, "time zone offset hour");
    const minutes = this.inRange(Number(match[3]), 0, 60, "time zone offset minute");
    return (match[1] === "-" ? -1 : 1) * (hours * 60 + minutes);
  }

  private cannotParse(element: string): never {
    throw new Failure(
      `parsing time ${quoteGoTime(this.text)} as ${quoteGoTime(this.layout)}: cannot parse ${quoteGoTime(this.rest())} as ${quoteGoTime(element)}`,
    );
  }

  private fail(message: string): never {
    throw new Failure(`parsing time ${quoteGoTime(this.text)}${message}`);
  }
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function dateText(date: Date): string {
  const year = date.getUTCFullYear();
  const shown = year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${shown}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return `${day}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}
