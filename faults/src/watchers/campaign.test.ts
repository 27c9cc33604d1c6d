// A tenth of the watchers and writes in the ordinary run; `npm run faults` runs the whole campaign.

import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { watchersCampaign } from "./campaign.ts";

test("watchers that disconnect see every change once and in order", async () => {
  const store = openMemory({ maxQueuedChanges: 100 });
  const report = await watchersCampaign(store, { watchers: 100, writes: 1_000, seed: 16 });
  await store.close();
  expect(report.problems).toEqual([]);
  expect(report.deliveries).toBe(50 * 1_000 + 50 * 250);
});
