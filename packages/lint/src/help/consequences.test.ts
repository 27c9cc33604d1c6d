import { kubeEnv, type Minor } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { withoutConsequences } from "./consequences.ts";
import { Vocabulary } from "./vocabulary.ts";

const causes = (text: string, version: Minor): string[] => {
  const checked = kubeEnv({ version, mode: "newExpressions" }).checkText(text);
  const issues = checked.ok ? [] : checked.issues;
  return withoutConsequences({ issues, text, steps: [], offset: 0 }, new Vocabulary()).map(({ name = "" }) => name);
};

// biome-ignore format: one case per line
test.each([
  { text: "[1].forAll(c, c > 1)",                          version: "1.36", want: ["forAll"] },
  { text: "[1].forAll(c, c > d)",                          version: "1.36", want: ["d", "forAll"] },
  { text: "[1].all(i, e, e > i)",                          version: "1.30", want: ["all"] },
  { text: "[1].transformList(i, e, e > i).size() > c",     version: "1.30", want: ["c", "transformList"] },
  { text: "[[1]].some(a, a.some(b, b > a)) && b",          version: "1.36", want: ["b", "some", "some"] },
  { text: "unknown(c)",                                    version: "1.36", want: ["c", "unknown"] },
  { text: "c + d > 1",                                     version: "1.36", want: ["c", "d"] },
] as const)("$text in $version", ({ text, version, want }) => {
  expect(causes(text, version).sort()).toEqual(want);
});
