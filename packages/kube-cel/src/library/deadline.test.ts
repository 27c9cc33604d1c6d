// Calls whose price says little about their duration check the deadline themselves: again and again inside a long one, and for every call
// on a large value. These tests count the looks. The engine's own libraries are tested in cel's run/deadline.test.ts.

import { DYN, type Env, type Mode } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";

const env = (kubeEnv() as Env).extend({ variables: { x: DYN } }) as Env;

function looksAt(expr: string, mode: Mode, x: unknown): number {
  let looks = 0;
  const signal = {
    get aborted(): boolean {
      looks++;
      return false;
    },
  };
  const { error } = env.program(expr, { mode }).evaluate({ x }, { signal });
  expect(error).toBe(undefined);
  return looks;
}

const made = (expr: string, x: string): unknown => env.program(expr).run({ x });
const wide = "é€".repeat(200_000);
const shortTexts = Array.from({ length: 20_000 }, () => "text");
const query = `https://example.com/?${"a=b&".repeat(5000)}`;

describe.each<Mode>(["interpreted", "compiled"])("the deadline is checked, %s", (mode) => {
  const CALLS = 10;
  // biome-ignore format: one case per line
  test.each<{ call: string; x: unknown }>([
    { call: "isURL(x)",                                  x: wide },
    { call: "url('http://h/' + x).getEscapedPath() == ''", x: wide },
    { call: "url(x).getQuery().size() == 1",             x: query },
    { call: "timestamp('2024-01-01T00:00:00Z').getHours(x) == 0", x: wide },
    { call: "duration(x) == duration('1s')",             x: wide },
    { call: "isQuantity(x)",                             x: "1".repeat(100_000) },
    { call: "sign(quantity(x)) == 1",                   x: `1${"0".repeat(100_000)}` },
    { call: "isSemver(x)",                               x: wide },
    { call: "x.isLessThan(x)",                           x: made("semver(x)", `1.2.3-${"a.1.".repeat(20_000)}a`) },
    { call: "x.getQuery().size() == 1",                  x: made("url(x)", `https://h/?${"&".repeat(500_000)}`) },
    { call: "x.isLessThan(x)",                           x: made("quantity(x)", "1".repeat(90_000)) },
    { call: "x.isLessThan(quantity('1e90000'))",         x: made("quantity(x)", "1".repeat(90_000)) },
    { call: "x.isSorted()",                              x: shortTexts },
    { call: "x.min() == ''",                             x: shortTexts },
    { call: "x.indexOf('a') == 0",                       x: shortTexts },
  ])("for every $call", ({ call, x }) => {
    expect(looksAt(`[${"0, ".repeat(CALLS)}].exists(i, ${call} && false || false) || true`, mode, x)).toBeGreaterThanOrEqual(CALLS);
  });

  // biome-ignore format: one case per line
  test.each<{ expr: string; x: unknown }>([
    { expr: "isURL('/' + x)",                            x: wide },
    { expr: "sign(quantity(x)) == 1",                   x: "1".repeat(100_000) },
    { expr: "[x, x].exists(y, ip(y).family() == 4) || true", x: '"'.repeat(400_000) },
    { expr: "[x, x].exists(y, semver(y).major() == 4) || true", x: `1.2.${'"'.repeat(400_000)}` },
    { expr: "isSemver(x)",                               x: `1.2.3-${"1.".repeat(20_000)}1` },
    { expr: "x.max() == 'text'",                         x: shortTexts },
  ])("inside $expr", ({ expr, x }) => {
    expect(looksAt(expr, mode, x)).toBeGreaterThan(4);
  });
});
