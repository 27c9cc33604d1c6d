// The order of a write is known in one place, `packages/write/src/write-path.ts`: nothing else calls the steps that it puts in order.

import { expect, test } from "vitest";
import { packages, read, sources } from "./tree.ts";

const PATH = "packages/write/src/write-path.ts";

/** A step of a write, how its call is recognised, and the other files that may have such a call. */
// biome-ignore format: one step per line
const STEPS: readonly (readonly [step: string, call: RegExp, others: readonly string[]])[] = [
  ["metadata rules", /\b(?:wipeSystemFields|dedupeOwners|afterMutation)\(/, ["packages/write/src/metadata.ts"]],
  ["mutate",         /\bchain\.mutate\(/,                                                           []],
  ["prepare",        /\bstrategy\.prepare(?:Create|Update)\(/,                                      []],
  ["validate",       /\bstrategy\.validate(?:Create|Update)\(/,                                     []],
  ["admit",          /\bchain\.validate\(/,                                                         []],
];

const files = (): string[] => packages().flatMap((path) => sources(path).map((file) => `${path}/src/${file}`));

test.each(STEPS)("%s: called by the write path alone", (_, call, others) => {
  const callers = files().filter((file) => call.test(read(file)));
  expect(callers).toContain(PATH);
  expect(callers.filter((file) => file !== PATH && !others.includes(file))).toEqual([]);
});

test("the steps follow each other in the order that the head of the file states", () => {
  const text = read(PATH);
  const stated = /decode → .*→ admit/
    .exec(text)?.[0]
    .split(" → ")
    .map((step) => step.split(" ").at(0));
  expect(stated).toEqual(["decode", "metadata", "mutate", "rights", "prepare", "validate", "admit"]);
  const entered = Array.from(text.matchAll(/steps\.enter\("(\w+)"\)/g), ([, step]) => step);
  expect(entered.slice(0, 4)).toEqual(["decode", "mutate", "prepare", "validate"]);
});
