// A short campaign in the ordinary run; `npm run faults -- server-hostile` runs the whole one.

import { expect, test } from "vitest";
import { BIN, bundle } from "../../../apps/cli/src/e2e/run.testing.ts";
import { hostileCampaign } from "./campaign.ts";

test("hostile clients and webhooks are answered, and an honest client does not notice", {
  timeout: 300_000,
}, async () => {
  await bundle();
  const lies = ["hangs", "wrong-uid", "bad-json", "patch-that-doubles"];
  const options = { command: BIN, times: 40, lies, watchers: 4, senders: 20, seconds: 1, seed: 17 };
  const { problems, honestRequests } = await hostileCampaign(options);
  expect(problems).toEqual([]);
  expect(honestRequests).toBeGreaterThan(0);
});
