// Names that nothing implements, met while evaluating: in unchecked expressions, or declared without an implementation.

import { expect, test } from "vitest";
import { fixed } from "../cost/formulas.ts";
import { createEnv, type Env } from "../env.ts";
import { fn } from "../lib/library.ts";
import { INT } from "../value/type.ts";

const env: Env = createEnv({ functions: [fn("declared", "declared_int", [INT], INT, fixed(1))] });

// biome-ignore format: one case per line
const cases = [
  { expr: "nope()",      want: "no such overload: nope()" },
  { expr: "nope(1)",     want: "no such overload: nope" },
  { expr: "nope(1, 2)",  want: "no such overload: nope" },
  { expr: "(1).nope()",  want: "no such overload: nope" },
  { expr: "declared(1)", want: "no such overload: declared" },
];

test.each(
  cases.flatMap((testCase) => [
    { ...testCase, mode: "interpreted" } as const,
    { ...testCase, mode: "compiled" } as const,
  ]),
)("$expr, $mode", ({ expr, want, mode }) => {
  const { ast } = env.parse(expr);
  const program = ast && env.plan(ast, { mode });
  expect(program && "evaluate" in program && program.evaluate({}).error?.message).toBe(want);
});
