// A few seconds of fuzzing with each run of the tests, once with a fixed seed and once with a new one; `npm run fuzz` goes on
// for longer.

import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

test.each([1, Date.now() % 2 ** 31])("finds nothing from seed %i", { timeout: 60_000 }, (seed) => {
  const { inputs, reached, found } = runCampaign({ seed, seconds: 4 });
  console.log(`fuzz: seed ${seed}, ${inputs} inputs:`, reached);
  expect(found).toEqual([]);
  expect(Math.min(...Object.values(reached)), "every stage is reached").toBeGreaterThan(0);
});
