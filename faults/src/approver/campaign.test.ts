// A short campaign in the ordinary run; `npm run faults -- approver` runs the whole one.

import { expect, test } from "vitest";
import { bundled } from "../replica.testing.ts";
import { approverCampaign } from "./campaign.ts";

test("an approver that is killed in the middle decides every request once", { timeout: 120_000 }, async () => {
  const replica = await bundled(new URL("./replica.ts", import.meta.url));
  const report = await approverCampaign({ replica, times: 3, seed: 7 });
  expect(report.problems).toEqual([]);
  expect(report.approved + report.denied).toBe(report.requests);
});
