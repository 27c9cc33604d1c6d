import { expect, test } from "vitest";
import { isBase64, isDate, isDateTime, isUuid, isUuid3, isUuid4, isUuid5 } from "./formats.ts";

// biome-ignore format: one case per line
const cases: [(text: string) => boolean, string, boolean][] = [
  [isUuid,     "123e4567-e89b-12d3-a456-426614174000", true],
  [isUuid,     "123E4567e89b12d3a456426614174000",     true],
  [isUuid,     "123e4567-e89b-12d3-a456-42661417400",  false],
  [isUuid3,    "123e4567-e89b-32d3-a456-426614174000", true],
  [isUuid4,    "123e4567-e89b-42d3-a456-426614174000", true],
  [isUuid4,    "123e4567-e89b-42d3-c456-426614174000", false],
  [isUuid5,    "123e4567-e89b-52d3-a456-426614174000", true],
  [isBase64,   "aGVsbG8=", true],
  [isBase64,   "",         false],
  [isBase64,   "a",        false],
  [isBase64,   "aGVsbG8",  false],
  [isBase64,   "a-_b",     false],
  [isDate,     "2020-02-29", true],
  [isDate,     "2021-02-29", false],
  [isDate,     "1900-02-29", false],
  [isDate,     "2020-1-1",   false],
  [isDate,     "2020-13-01", false],
  [isDate,     "0000-01-01", true],
  [isDateTime, "2020-01-01T10:00:00Z",         true],
  [isDateTime, "2020-01-01t10:00:00z",         true],
  [isDateTime, "2020-01-01T10:00:00.5-07:00",  true],
  [isDateTime, "2020-01-01T10:00:00x5+00:00",  true],
  [isDateTime, "2020-01-01T23:59:60Z",         false],
  [isDateTime, "2020-01-01T24:00:00Z",         false],
  [isDateTime, "2020-01-01T10:00:00",          false],
  [isDateTime, "2020-01-01",                   false],
  [isDateTime, "x",                            false],
];

test.each(cases)("%o %s is %s", (check, text, want) => expect(check(text)).toBe(want));
