// Some seconds of the campaign with each run of the tests; `npm run fuzz -- proofs` goes on for longer.

import { expect, test } from "vitest";
import { attackExpressions, comparePairs } from "./campaign.ts";
import { hasCorpus } from "./real-policies.ts";

const SEED = Number(process.env.CELADON_SEED ?? 1);

test("no proof about a random expression is refuted", async () => {
  const limits = { paths: 500, time: 200 };
  const { proved, wrong } = await attackExpressions({ seed: SEED, limits, objects: 500, goOn: (done) => done < 60 });
  expect(wrong).toEqual([]);
  expect(proved).toBeGreaterThan(0);
});

test.skipIf(!hasCorpus())("no relation between real policies and their mutants is refuted", async () => {
  const limits = { paths: 1000, time: 300 };
  const { relations, wrong } = await comparePairs({ seed: SEED, limits, pairs: 12, requests: 20 });
  expect(wrong).toEqual([]);
  expect(Object.keys(relations).some((relation) => relation !== "unknown")).toBe(true);
});
