// A short campaign in the ordinary run; `npm run faults -- server-kill` runs the whole one.

import { expect, test } from "vitest";
import { BIN, bundle } from "../../../apps/cli/src/e2e/run.testing.ts";
import { serverKillCampaign } from "./kill.ts";

test("a killed server loses nothing it acknowledged, and watches go on without a gap", {
  timeout: 300_000,
}, async () => {
  await bundle();
  const report = await serverKillCampaign({ command: BIN, times: 3, servers: 1, seconds: 5, seed: 17 });
  expect(report).toMatchObject({ lost: 0, problems: [] });
  expect(report.kills).toBeGreaterThan(0);
  expect(report.acknowledged).toBeGreaterThan(0);
});
