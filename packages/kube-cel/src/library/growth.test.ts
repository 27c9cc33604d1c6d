// Values of Kubernetes' libraries count as memory: without a cost limit they end at the memory limit, within Kubernetes' at the cost limit.

import { DYN, type Env, type Mode } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";

const env = (kubeEnv() as Env).extend({ variables: { x: DYN } }) as Env;
const x = Array.from({ length: 2000 }, (_, i) => `${i}`);
const PER_CALL_LIMIT = 1_000_000;

describe.each<Mode>(["interpreted", "compiled"])("%s", (mode) => {
  test.each([
    "x.map(i, x.map(j, url('https://example.com/' + j)))",
    "x.map(i, x.map(j, semver('1.2.' + j)))",
    "x.map(i, x.map(j, quantity(j)))",
    "x.map(i, x.map(j, cidr('fe80::' + j + '/64')))",
  ])("%s", (expr) => {
    const program = env.program(expr, { mode });
    const codeAt = (costLimit: number): string | undefined => program.evaluate({ x }, { costLimit }).error?.code;
    expect(codeAt(Number.POSITIVE_INFINITY)).toBe("memory_limit");
    expect(codeAt(PER_CALL_LIMIT)).toBe("cost_limit");
  });

  test("a chain of sums within the cost limit", () => {
    const expr = `x.all(i, x.all(j, quantity('1')${".add(1)".repeat(20)}.isGreaterThan(quantity('0'))))`;
    expect(env.program(expr, { mode }).evaluate({ x }, { costLimit: PER_CALL_LIMIT }).error?.code).toBe("cost_limit");
  });
});
