// A short campaign in the ordinary run; `npm run faults -- webhook-memory` runs the whole one.

import { expect, test } from "vitest";
import { bundled } from "../replica.testing.ts";
import { memoryCampaign } from "./memory.ts";

test("a webhook under load answers correctly and does not grow", { timeout: 120_000 }, async () => {
  const replica = await bundled(new URL("./replica.ts", import.meta.url));
  const port = 20_000 + ((process.pid * 11) % 20_000);
  const report = await memoryCampaign({ replica, requests: 500, port, seed: 0 });
  expect(report).toMatchObject({ requests: 500, problems: [] });
});
