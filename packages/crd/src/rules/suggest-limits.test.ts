import { expect, test } from "vitest";
import { type Limitable, suggestLimits } from "./suggest-limits.ts";

const list: Limitable = { keyword: "maxItems", largest: 5 };
const text: Limitable = { keyword: "maxLength", largest: undefined };
const product = (limits: ReadonlyMap<Limitable, number>): number => [...limits.values()].reduce((a, b) => a * b, 1);

// biome-ignore format: one case per line
const cases = [
  { what: "one that leaves room is enough, and round", fields: [{ keyword: "maxItems", largest: 6249 }, text],    most: 0,      want: [5000] },
  { what: "of a text a power of two",                  fields: [{ keyword: "maxLength", largest: 1000 }, list],   most: 0,      want: [512] },
  { what: "rather two than one that is too tight",     fields: [list, text],                                       most: 10_000, want: [64, 128] },
  { what: "what counts least has the most room",       fields: [list, text],                                       most: 5_200,  want: [64, 64] },
  { what: "nothing that people would not accept",      fields: [list, text],                                       most: 10,     want: [] },
] as const;
test.each(cases)("$what", ({ fields, most, want }) => {
  const given: readonly Limitable[] = fields;
  const limits = suggestLimits(given, (tried) => product(tried) <= most);
  expect([...limits.values()].sort((a, b) => a - b)).toEqual([...want].sort((a, b) => a - b));
});
