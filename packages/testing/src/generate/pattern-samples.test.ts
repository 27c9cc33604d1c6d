import { expect, test } from "vitest";
import { patternSamples, regexOf } from "./pattern-samples.ts";

// biome-ignore format: one pattern per line
const patterns = [
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$",
  "^\\d{3}-\\d{4}$",
  "^https?://[^/]+(/.*)?$",
  "^(?:a|bc|def)+$",
  "(?i)^READY$",
  "^\\p{Lu}\\p{Ll}*$",
  "x",
  "^[^a-z]{2,}$",
  "^(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)(\\.(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)){3}$",
];
test.each(patterns)("%s has samples, all of which match", (pattern) => {
  const samples = patternSamples(pattern);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) expect(regexOf(pattern)?.test(sample)).toBe(true);
});

test.each(["(", "a{2,1}", "a{1001}"])("%s is no pattern and has none", (pattern) =>
  expect(patternSamples(pattern)).toEqual([]),
);
test("a pattern that can never match has no samples", () => expect(patternSamples("a\\bb")).toEqual([]));
