// Answers beside those of solvers that are installed: no proof has an example, and no question that has none has a counterexample.

import { compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import { PolicyProver, type Question } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import { describe, expect, test } from "vitest";
import { Random } from "../random.ts";
import { boxPolicy } from "./attack.ts";
import { BOXES } from "./boxes.ts";
import { installedSolvers, meantExpression, solved } from "./solvers.ts";

const SEED = Number(process.env.CELADON_SEED ?? 1);
const EXPRESSIONS = Number(process.env.CELADON_SOLVED ?? 12);
const QUESTIONS: readonly Question[] = ["never-errors", "always", "never"];
const solvers = installedSolvers();

test.skipIf(solvers.length > 0)("solvers", ({ skip }) => skip("neither z3 nor cvc5 is installed"));

describe.each(solvers)("$name", (solver) => {
  test("agrees", { timeout: 600_000 }, async () => {
    const random = new Random(SEED);
    let compared = 0;
    for (let i = 0; i < EXPRESSIONS; i++) {
      const meant = meantExpression(random);
      const policy = boxPolicy(meant.cel);
      const compiled = compilePolicy(policy);
      // A field alone has no type that validations may have.
      if (compiled.validations[0]?.program === undefined) continue;
      const cluster = SimulatedCluster.of([BOXES, policy as unknown as KubeObject]);
      const prover = new PolicyProver(compiled, cluster, { limits: { paths: 2000, time: 1000 } });
      const has = solved(solver, meant);
      for (const question of QUESTIONS) {
        const { is } = await prover.ask(question, 0);
        if (has[question] === undefined || is === "unknown") continue;
        compared++;
        expect(is, `${question}: ${meant.cel}`).toBe(has[question] ? "counterexample" : "proved");
      }
    }
    expect(compared).toBeGreaterThan(EXPRESSIONS);
  });
});
