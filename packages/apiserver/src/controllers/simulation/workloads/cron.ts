// Times of a CronJob's schedule. Upstream: robfig/cron v3, as Kubernetes uses it.

const NAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Minute, hour, day of the month, month, day of the week. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** The next time after one, in milliseconds; undefined when there is none in five years. */
export type Schedule = (after: number) => number | undefined;

/** Undefined for a text that is no schedule, or a time zone that is unknown. */
export function parseSchedule(text: string, timeZone: string | null | undefined): Schedule | undefined {
  const every = /^@every (\d+(?:\.\d+)?)(s|m|h)$/.exec(text);
  if (every !== null) {
    const ms = Math.max(1000, Number(every[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[every[2] as "s" | "m" | "h"]);
    return (after) => Math.floor(after / 1000) * 1000 + ms;
  }
  const fields = (NAMES[text] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const sets = fields.map((field, i) => valuesOf(field.toLowerCase(), i));
  if (sets.includes(undefined)) return undefined;
  const clock = clockOf(timeZone ?? "UTC");
  if (clock === undefined) return undefined;
  const [minutes, hours, days, months, weekdays] = sets as Set<number>[];
  // Where both name days, either counts.
  const isAnyDay = /^[*?]/.test(fields[2]!) || /^[*?]/.test(fields[4]!);
  const isDay = (day: number, weekday: number): boolean =>
    isAnyDay ? days!.has(day) && weekdays!.has(weekday) : days!.has(day) || weekdays!.has(weekday);
  return (after) => {
    let at = Math.floor(after / 60_000) * 60_000 + 60_000;
    const end = after + 5 * 366 * 86_400_000;
    while (at < end) {
      const { minute, hour, day, month, weekday } = clock(at);
      if (!months!.has(month) || !isDay(day, weekday)) at += ((23 - hour) * 60 + (60 - minute)) * 60_000;
      else if (!hours!.has(hour)) at += (60 - minute) * 60_000;
      else if (!minutes!.has(minute)) at += 60_000;
      else return at;
    }
    return undefined;
  };
}

function valuesOf(field: string, at: number): Set<number> | undefined {
  const [least, most] = RANGES[at]!;
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const [, first = "", last, step = "1"] = match;
    const isAll = first === "*" || first === "?";
    const from = isAll ? least : numberOf(first, at);
    const to = last !== undefined ? numberOf(last, at) : isAll || match[3] !== undefined ? most : from;
    if (from === undefined || to === undefined || from < least || to > most || from > to || Number(step) < 1)
      return undefined;
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return values;
}

function numberOf(text: string, at: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const names = at === 3 ? MONTHS : at === 4 ? DAYS : [];
  const found = names.indexOf(text);
  return found === -1 ? undefined : found + (at === 3 ? 1 : 0);
}

interface ClockTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/** The wall clock of a time zone. */
function clockOf(timeZone: string): ((at: number) => ClockTime) | undefined {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") {
    return (at) => {
      const date = new Date(at);
      return {
        minute: date.getUTCMinutes(),
        hour: date.getUTCHours(),
        day: date.getUTCDate(),
        month: date.getUTCMonth() + 1,
        weekday: date.getUTCDay(),
      };
    };
  }
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      minute: "numeric",
      hour: "numeric",
      day: "numeric",
      month: "numeric",
      weekday: "short",
    });
  } catch {
    return undefined;
  }
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const weekday = DAYS.indexOf((parts.get("weekday") ?? "").toLowerCase());
    return { minute: number("minute"), hour: number("hour"), day: number("day"), month: number("month"), weekday };
  };
}
