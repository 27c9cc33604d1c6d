import { expect, test } from "vitest";
import { type Truth, Truths } from "./truths.ts";

test("what policies say now, and nothing of those that fell silent, however often they change", () => {
  const said = new Map<string, readonly Truth[]>([["stays", ["true"]]]);
  let truths = new Truths(said);
  for (let i = 0; i < 30; i++) {
    const name = `p${i % 12}`;
    const now: readonly Truth[] | undefined = i % 3 === 0 ? undefined : i % 2 === 0 ? ["true"] : ["false", "error"];
    if (now === undefined) said.delete(name);
    else said.set(name, now);
    const before = truths.get(name);
    const next = truths.with([name], new Map(now && [[name, now]]));
    expect(truths.get(name)).toBe(before);
    truths = next;
    for (let j = 0; j < 12; j++) expect(truths.get(`p${j}`)).toEqual(said.get(`p${j}`));
  }
  expect(truths.get("stays")).toEqual(["true"]);
  expect(truths.isEmpty).toBe(false);
  expect(new Truths(new Map([["a", ["true"]]])).with(["a"], new Map()).isEmpty).toBe(true);
});
