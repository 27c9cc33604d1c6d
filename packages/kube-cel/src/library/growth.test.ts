// Values of Kubernetes' libraries count as memory: without a cost limit they end at the memory limit, within Kubernetes' at the cost limit.

import { DYN, type Env, type Mode, STRING } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";

const env = (kubeEnv() as Env).extend({ variables: { x: DYN, y: STRING } }) as Env;
const x = Array.from({ length: 400 }, (_, i) => `${i}`);
/** Uses up most of the memory of an evaluation. */
const y = "a".repeat(66_000_000);
const PER_CALL_LIMIT = 1_000_000;

describe.each<Mode>(["interpreted", "compiled"])("%s", (mode) => {
  test.each([
    "x.map(i, x.map(j, url('https://example.com/' + j)))",
    "x.map(i, x.map(j, semver('1.2.' + j)))",
    "x.map(i, x.map(j, quantity(j)))",
    "x.map(i, x.map(j, cidr('fe80::' + j + '/64')))",
  ])("%s", (expr) => {
    const codeOf = (expr: string, costLimit: number): string | undefined =>
      env.program(expr, { mode }).evaluate({ x, y }, { costLimit }).error?.code;
    expect(codeOf(`y + 'a' == '' ? [] : ${expr}`, Number.POSITIVE_INFINITY)).toBe("memory_limit");
    expect(codeOf(expr, PER_CALL_LIMIT)).toBe("cost_limit");
    expect(codeOf("y + 'a' == ''", Number.POSITIVE_INFINITY)).toBe(undefined);
  });

  test("a chain of sums within the cost limit", () => {
    const expr = `x.all(i, x.all(j, quantity('1')${".add(1)".repeat(20)}.isGreaterThan(quantity('0'))))`;
    expect(env.program(expr, { mode }).evaluate({ x }, { costLimit: PER_CALL_LIMIT }).error?.code).toBe("cost_limit");
  });
});
