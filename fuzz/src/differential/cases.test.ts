// The questions of the campaign are worth asking: every kind of case comes up, most of them compile, and both forms of the engine agree on
// all of them. `npm run differential` asks the reference.

import { expect, test } from "vitest";
import { Random } from "../random.ts";
import { answers, policyEnv, textOf } from "./answers.ts";
import { type Case, casesFrom } from "./cases.ts";

const REAL = [
  "object.spec.containers.all(c, c.image.startsWith('registry/') && quantity(c.resources.limits.memory).isLessThan(quantity('1Gi')))",
  "has(object.metadata.labels) && object.metadata.labels.exists(k, k == 'app')",
  "object.?spec.?replicas.orValue(1) <= params.max",
];

test("cases of every kind, on which both forms agree", () => {
  const env = policyEnv();
  const cases = casesFrom(new Random(7), env, REAL);
  const kinds = new Map<string, number>();
  let compiling = 0;
  for (let i = 0; i < 400; i++) {
    const given = cases.next().value as Case;
    kinds.set(given.kind, (kinds.get(given.kind) ?? 0) + 1);
    const [interpreted, compiled] = answers(env, given);
    expect({ expr: given.expr, answer: textOf(compiled) }).toEqual({ expr: given.expr, answer: textOf(interpreted) });
    expect(interpreted.panic).toBeUndefined();
    if (interpreted.compileError === undefined) compiling++;
  }
  expect([...kinds.keys()].sort()).toEqual(
    ["lists", "loose", "optional", "real", "real, parts changed", "real, text changed", "texts", "typed"].sort(),
  );
  expect(compiling).toBeGreaterThan(200);
});
