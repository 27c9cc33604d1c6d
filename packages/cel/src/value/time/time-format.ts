// Timestamps and durations as text: what string() answers, and what Go's own String methods print inside messages.

import { formatFixed } from "@celadon/base";
import type { Duration, Timestamp } from "../value.ts";
import { type CivilDate, civilFromDays, dayOf, secondOfDay } from "./calendar.ts";

const pad = (n: number, width = 2): string => String(n).padStart(width, "0");

interface Clock extends CivilDate {
  readonly time: string;
  readonly fraction: string;
}

function clockOf(ts: Timestamp): Clock {
  const local = ts.seconds + ts.offsetMinutes * 60;
  const second = secondOfDay(local);
  const time = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
  const fraction = ts.nanos === 0 ? "" : `.${pad(ts.nanos, 9).replace(/0+$/, "")}`;
  return { ...civilFromDays(dayOf(local)), time, fraction };
}

/** `+02:00` with the separator given. */
function formatOffset(minutes: number, separator: string): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}${separator}${pad(size % 60)}`;
}

/** RFC 3339 with as many fractional digits as are needed, in the offset the timestamp was given in. */
export function formatTimestamp(ts: Timestamp): string {
  const { year, month, day, time, fraction } = clockOf(ts);
  const zone = ts.offsetMinutes === 0 ? "Z" : formatOffset(ts.offsetMinutes, ":");
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${time}${fraction}${zone}`;
}

/** Go's Time.String: `2024-02-29 12:34:56.5 +0200 +0200`. */
export function formatGoTime(ts: Timestamp): string {
  const { year, month, day, time, fraction } = clockOf(ts);
  const offset = formatOffset(ts.offsetMinutes, "");
  const name = ts.offsetMinutes === 0 ? "UTC" : offset;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${time}${fraction} ${offset} ${name}`;
}

/** Seconds as Go's Duration.Seconds gives them: a double, so that long durations lose their last digits. */
export const durationSeconds = (d: Duration): number => d.seconds + d.nanos / 1e9;

/** `1.5s`: seconds in decimal, also large ones. */
export function formatDuration(d: Duration): string {
  return `${formatFixed(durationSeconds(d))}s`;
}

/** Go's Duration.String: `1h1m1.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(d: Duration): string {
  const sign = d.seconds < 0 || d.nanos < 0 ? "-" : "";
  const [seconds, nanos] = [Math.abs(d.seconds), Math.abs(d.nanos)];
  if (seconds === 0) return nanos === 0 ? "0s" : sign + formatSmall(nanos);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const fraction = nanos === 0 ? "" : `.${pad(nanos, 9).replace(/0+$/, "")}`;
  const prefix = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : "";
  return `${sign}${prefix}${seconds % 60}${fraction}s`;
}

function formatSmall(nanos: number): string {
  if (nanos < 1e3) return `${nanos}ns`;
  return nanos < 1e6 ? `${nanos / 1e3}µs` : `${nanos / 1e6}ms`;
}
