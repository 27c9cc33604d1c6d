// Inlined code and calls agree: the same value, error and cost as interpreted, for every kind of value.

import { expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { DYN } from "../value/type.ts";
import { Double, Uint } from "../value/value.ts";
import { showOutcome } from "./show.testing.ts";

class Instance {
  a = "an instance's";
}

// biome-ignore format: a list of values
const VALUES: readonly unknown[] = [
  "", "a", "ab", "-end", "a-end", "😀", "a😀b", "\ud800", "a text of more than ten characters", "2020-01-01T00:00:00Z", "24h",
  0, -7, 7, 2 ** 53 - 1, 1.5, Number.NaN, 2n ** 62n, -(2n ** 63n), new Uint(3), new Double(2), true, null,
  [], ["a", "😀"], [1, "ab", null], new Array(3), {}, { a: "own" }, { a: null }, { a: undefined }, { a: 1, constructor: 1 },
  Object.assign(Object.create(null), { a: "no prototype" }), Object.create({ a: "inherited" }), new Instance(),
  Object.assign(() => 1, { a: "a function's" }), new Map([["a", 1]]), new Uint8Array(3),
];

// biome-ignore format: a list of expressions
const EXPRESSIONS: readonly string[] = [
  "x.a", "x.a == 'own'", "has(x.a)", "has(x.a) && x.a == 'own'", "'a' in x", "x.a.startsWith('o')", "[x].all(e, has(e.a))",
  "x.startsWith('')", "x.startsWith('a😀')", "x.endsWith('-end')",
  "size(x)", "size(x) + size(x)", "x.size()", "x in y", "x in ['a', 'ab']", "x in ['a', 1, null]", "x in ['a', 'ab', 'b', 'c', 'd']", "dyn(b'a') in ['a', 'ab']", "dyn(null) in ['a']",
  "int(x) % 5", "int(x) / 5", "int(x) / int(y)", "int(x) % int(y)", "int(x) % -1", "int(x) / 0",
  "string(int(x)) + '!'", "string(double(x)) + '!' + string(bool(y))", "timestamp(x) > timestamp(y)", "timestamp(x) - duration(y) < timestamp(x)",
];

const env = createEnv({ variables: { x: DYN, y: DYN } });

test.each(EXPRESSIONS)("%s", (text) => {
  const interpreted = env.program(text, { mode: "interpreted" });
  const compiled = env.program(text, { mode: "compiled" });
  expect(compiled.form).toBe("compiled");
  for (const x of VALUES) {
    for (const y of text.includes("y") ? VALUES : [undefined]) {
      const vars = { x, y };
      expect(showOutcome(compiled.evaluate(vars))).toBe(showOutcome(interpreted.evaluate(vars)));
    }
  }
});
