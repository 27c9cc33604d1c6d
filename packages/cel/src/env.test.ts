// An environment keeps its promises: it does not change, and a function that could never be called is refused.

import { describe, expect, test } from "vitest";
import { fixed } from "./cost/formulas.ts";
import { createEnv } from "./env.ts";
import { stringsLibrary } from "./lib/index.ts";
import type { Library, Overload } from "./lib/library.ts";
import { fn } from "./lib/library.ts";
import { INT, STRING, type Type } from "./value/type.ts";

test("does not change with the objects it was made from", () => {
  const variables: Record<string, Type> = { a: INT };
  const libraries: Library[] = [];
  const functions: Overload[] = [];
  const env = createEnv({ variables, libraries, functions });
  variables.b = INT;
  libraries.push(stringsLibrary());
  functions.push(fn("f", "f", [], INT, fixed(1), () => 1));
  const larger = env.extend({ variables: { c: INT }, libraries: [], functions: [] });
  for (const text of ["b", `"x".charAt(0)`, "f()"])
    expect([env.compile(text).ok, larger.compile(text).ok]).toEqual([false, false]);
  expect(larger.compile("a + c").ok).toBe(true);
});

describe("functions between which no call could choose", () => {
  const row = (name: string, id: string, args: readonly Type[]): Overload =>
    fn(name, id, args, INT as Type, fixed(1), () => 7);

  // biome-ignore format: one case per line
  test.each([
    { what: "the id of a standard one",          rows: [row("size", "size_string", [INT])],                       want: "overload 'size_string' of 'size' collides with 'size_string'" },
    { what: "the arguments of a standard one",   rows: [row("size", "mine", [STRING])],                           want: "overload 'mine' of 'size' collides with 'size_string'" },
    { what: "the arguments of another",          rows: [row("f", "f_int", [INT]), row("f", "f_other", [INT])],     want: "overload 'f_other' of 'f' collides with 'f_int'" },
  ])("$what", ({ rows, want }) => expect(() => createEnv({ functions: rows })).toThrow(want));

  test("the same row twice is one", () => {
    const same = row("f", "f_int", [INT]);
    expect(
      createEnv({ functions: [same] })
        .extend({ functions: [same] })
        .program("f(1)")
        .evaluate().value,
    ).toBe(7);
  });
});
