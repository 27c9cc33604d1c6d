// Some fuzzing with each run of the tests, the same each time; `npm run fuzz` goes on for longer, from a new seed.

import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

const SEED = Number(process.env.CELADON_SEED ?? 1);

test("finds nothing", () => {
  const { reached, found } = runCampaign({ seed: SEED, inputs: 4000 });
  expect(found).toEqual([]);
  expect(Math.min(...Object.values(reached)), "every stage is reached").toBeGreaterThan(0);
});
