// Accessors of timestamps, in UTC or in a named zone, and of durations, which are totals.

import { fixed } from "../../cost/formulas.ts";
import * as time from "../../value/time/time.ts";
import { DURATION, INT, STRING, TIMESTAMP } from "../../value/type.ts";
import { method, type Overload } from "../library.ts";

/** The accessor and its form with a time zone. */
function field(name: string, id: string, read: time.TimestampAccessor, zoneId = `${id}_with_tz`): Overload[] {
  return [
    method(name, id, [TIMESTAMP], INT, fixed(1), (ts) => read(ts)),
    method(name, zoneId, [TIMESTAMP, STRING], INT, fixed(1), (ts, zone) => read(ts, zone)),
  ];
}

// biome-ignore format: one accessor per line
export const timeFunctions: readonly Overload[] = [
  ...field("getFullYear",     "timestamp_to_year",                 time.fullYear),
  ...field("getMonth",        "timestamp_to_month",                time.month),
  ...field("getDayOfYear",    "timestamp_to_day_of_year",          time.dayOfYear),
  ...field("getDayOfMonth",   "timestamp_to_day_of_month",         time.dayOfMonth),
  ...field("getDate",         "timestamp_to_day_of_month_1_based", time.date),
  ...field("getDayOfWeek",    "timestamp_to_day_of_week",          time.dayOfWeek),
  ...field("getHours",        "timestamp_to_hours",                time.hours),
  method(  "getHours",        "duration_to_hours",        [DURATION], INT, fixed(1), time.durationHours),
  ...field("getMinutes",      "timestamp_to_minutes",              time.minutes),
  method(  "getMinutes",      "duration_to_minutes",      [DURATION], INT, fixed(1), time.durationMinutes),
  ...field("getSeconds",      "timestamp_to_seconds",              time.seconds, "timestamp_to_seconds_tz"),
  method(  "getSeconds",      "duration_to_seconds",      [DURATION], INT, fixed(1), time.durationWholeSeconds),
  ...field("getMilliseconds", "timestamp_to_milliseconds",         time.milliseconds),
  method(  "getMilliseconds", "duration_to_milliseconds", [DURATION], INT, fixed(1), time.durationMillis),
];
