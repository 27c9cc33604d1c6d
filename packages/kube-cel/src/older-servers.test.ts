// Expressions that change a verdict between versions: an older server refuses them, or decides otherwise.

import { DYN } from "@celadon/cel";
import type { Minor } from "@celadon/kube/versions";
import { expect, test } from "vitest";
import { pricesAdmission } from "./admission-prices.ts";
import { compileExpression } from "./compile.ts";
import { kubeEnv } from "./environment.ts";
import { serverOptions } from "./server-options.ts";

function answerAt(server: Minor, expr: string): unknown {
  const { environment } = serverOptions(server, "storedExpressions");
  const env = kubeEnv({ ...environment, strictCosts: pricesAdmission(server), variables: { object: DYN } });
  const compiled = compileExpression(env, expr);
  if (!compiled.ok) return "refused";
  const { value, error } = compiled.program.evaluate({ object: { a: { k: 1 } } });
  return error === undefined ? value : error.message;
}

// biome-ignore format: one expression per line
const cases: readonly { expr: string; until: Minor; was: unknown; since: Minor; is: unknown }[] = [
  { expr: "[1, 2].first().value()",                                 until: "1.32", was: "refused", since: "1.33", is: 1 },
  { expr: "[optional.of(1)].unwrapOpt().size()",                    until: "1.32", was: "refused", since: "1.33", is: 1 },
  { expr: "object.?a['k'].optMap(x, x == 1).orValue(false)",        until: "1.31", was: "refused", since: "1.32", is: true },
  { expr: "optional.of(1).optFlatMap(x, optional.of(x)).value()",   until: "1.28", was: "refused", since: "1.29", is: 1 },
  { expr: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",         until: "1.31", was: false,     since: "1.32", is: true },
  { expr: "''.indexOf('a')",                                        until: "1.31", was: "index out of range: 0",  since: "1.32", is: -1 },
  { expr: "'hello'.indexOf('l', 5)",                                until: "1.31", was: "index out of range: 5",  since: "1.32", is: -1 },
  { expr: "''.lastIndexOf('x')",                                    until: "1.33", was: "index out of range: -1", since: "1.34", is: -1 },
  { expr: "'%s %s'.format(['a'])",                                  until: "1.30", was: "index 1 out of range",   since: "1.31", is: "refused" },
  { expr: "object.a.all(k, v, v == 1)",                             until: "1.32", was: "refused", since: "1.33", is: true },
  { expr: "[1].all(x, __result__)",                                 until: "1.32", was: true,      since: "1.33", is: "refused" },
  { expr: "'\\ud800'",                                              until: "1.32", was: "\ufffd",  since: "1.33", is: "refused" },
  { expr: "'%e'.format([1.5])",                                     until: "1.32", was: "1.500000\u202f×\u202f10⁰⁰", since: "1.33", is: "1.500000×10⁰⁰" },
  { expr: "object.orValue(1) == object",                            until: "1.36", was: true,      since: "1.37", is: "no such overload" },
  { expr: "[1].includes(1)",                                        until: "1.36", was: "refused", since: "1.37", is: true },
];

test.each(cases)("$expr: up to $until and since $since", ({ expr, until, was, since, is }) => {
  expect(answerAt(until, expr)).toEqual(was);
  expect(answerAt(since, expr)).toEqual(is);
});

test("servers before 1.32 charge policies for Kubernetes' functions what any call costs", () => {
  const costAt = (server: Minor, strictCosts: boolean): number => {
    const env = kubeEnv({ ...serverOptions(server, "storedExpressions").environment, strictCosts });
    return env.program("[1, 2, 3, 4].sum() == 10").evaluate({}).cost;
  };
  expect(costAt("1.31", pricesAdmission("1.31"))).toBeLessThan(costAt("1.32", pricesAdmission("1.32")));
  // Rules of definitions were always charged so.
  expect(costAt("1.31", true)).toBe(costAt("1.32", true));
});
