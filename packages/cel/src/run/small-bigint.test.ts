// Ints and uints that a host passes as bigints although a number would hold them, as database drivers and protobuf readers do.

import { expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { listsLibrary, stringsLibrary } from "../lib/index.ts";
import { DYN, INT, listOf, UINT } from "../value/type.ts";

const env = createEnv({
  variables: { n: INT, u: UINT, l: listOf(INT), d: DYN },
  libraries: [stringsLibrary(), listsLibrary()],
});
const variables = { n: 5n, u: 5n, l: [5n, 6n], d: { n: 5n, l: [5n] } };

// biome-ignore format: one group per line
const truths = [
  "n == 5", "5 == n", "!(n != 5)", "n == n + 0", "n < 6 && n > 4", "n + 1 == 6", "n == int('5')", "(n == 5 ? 1 : 2) == 1",
  "n in [5, 7]", "n in l", "5 in l", "!(n in [6])", "n in {5: 1}", "{5: 1}[n] == 1", "{n: 1} == {5: 1}", "[0, 0, 0, 0, 0, 7][n] == 7",
  "l[0] == 5", "l == [5, 6]", "l.exists(x, x == 5)", "l.map(x, x + 1) == [6, 7]", "l.filter(x, x == 5).size() == 1", "l.sort() == [5, 6]",
  "'abcdefg'.charAt(n) == 'f'", "'abcdefg'.substring(n) == 'fg'", "timestamp(n) == timestamp('1970-01-01T00:00:05Z')",
  "u == 5u", "u + 1u == 6u", "u in [5u]", "{5u: 1}[u] == 1", "string(n) == '5'",
  "d.n == 5", "d.n in [5]", "{5: 1}[d.n] == 1", "[0, 0, 0, 0, 0, 7][d.n] == 7", "'abcdefg'.charAt(d.n) == 'f'", "d.l.exists(x, x == 5)", "d.n == u",
];

test.each(truths.flatMap((expr) => [{ expr, mode: "interpreted" } as const, { expr, mode: "compiled" } as const]))(
  "$expr, $mode",
  ({ expr, mode }) =>
    expect(env.program(expr, { mode }).evaluate(variables)).toMatchObject({ value: true, error: undefined }),
);
