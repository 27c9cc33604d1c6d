// A short campaign in the ordinary run, with bodies just large enough for the thread; `npm run faults -- server-bodies` runs the whole one, and measures.

import { expect, test } from "vitest";
import { BIN, bundle } from "../../../apps/cli/src/e2e/run.testing.ts";
import { bodiesCampaign } from "./campaign.ts";

test("bodies made to take long are answered, and another client's gets do not fail", { timeout: 300_000 }, async () => {
  await bundle();
  const { problems, bodies, gets } = await bodiesCampaign({ command: BIN, bytes: 80_000, every: 14, seed: 1 });
  expect(problems).toEqual([]);
  expect(bodies).toBeGreaterThan(10);
  expect(gets).toBeGreaterThan(bodies);
});
