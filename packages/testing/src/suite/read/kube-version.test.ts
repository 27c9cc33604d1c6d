import { expect, test } from "vitest";
import { knownMinors } from "./kube-version.ts";

// biome-ignore format: one case per line
const cases = [
  { text: "1.33",            want: ["1.33"] },
  { text: "v1.33.2",         want: ["1.33"] },
  { text: "1.35..1.37",      want: ["1.35", "1.36", "1.37"] },
  { text: "1.36, 1.30",      want: ["1.30", "1.36"] },
  { text: "1.36,1.35..1.36", want: ["1.35", "1.36"] },
  { text: "1.37..1.35",      want: undefined },
  { text: "1.30..1.32..1.3", want: undefined },
  { text: "1.30..",          want: undefined },
  { text: "1.27",            want: undefined },
  { text: "latest",          want: undefined },
  { text: "",                want: undefined },
];
test.each(cases)("$text", ({ text, want }) => expect(knownMinors(text)).toEqual(want));
