import type { Minor } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { courseOf } from "./version-course.ts";

const MINORS: readonly Minor[] = ["1.33", "1.34", "1.35", "1.36"];

// biome-ignore format: one case per line
const cases = [
  { values: "aaaa", want: undefined },
  { values: "abbb", want: { was: "a", now: "b", since: "1.34" } },
  { values: "aaab", want: { was: "a", now: "b", since: "1.36" } },
  { values: "abac", want: { was: "a", now: "c", since: "1.36" } },
  { values: "abab", want: { was: "a", now: "b", since: "1.36" } },
  { values: "abba", want: { was: "a", now: "b", since: "1.34", until: "1.36" } },
  { values: "acba", want: { was: "a", now: "c", since: "1.34", until: "1.36" } },
];
test.each(cases)("$values", ({ values, want }) => expect(courseOf(MINORS, [...values])).toEqual(want));
