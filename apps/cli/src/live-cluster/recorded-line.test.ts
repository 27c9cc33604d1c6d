import { expect, test } from "vitest";
import { recordedLine } from "./recorded-line.ts";

test("hidden characters are escapes, and read back as they were", () => {
  const name = "a\u009b31m\u202eb\u200f\u2028\u001b\ud800 ##[error]é";
  const line = recordedLine({ request: { name } }, { allowed: true });
  expect(line.trimEnd()).toBe(
    '{"request":{"name":"a\\u009b31m\\u202eb\\u200f\\u2028\\u001b\\ud800 #\\u0023[error]é"},"response":{"allowed":true}}',
  );
  expect(JSON.parse(line)).toEqual({ request: { name }, response: { allowed: true } });
});
