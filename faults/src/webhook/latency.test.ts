// A short campaign in the ordinary run, without a bound: the machine has other work. `npm run faults -- webhook-latency` runs the whole one.

import { expect, test } from "vitest";
import { bundled } from "../replica.testing.ts";
import { latencyCampaign } from "./latency.ts";

test("others' reviews are answered during every attack", { timeout: 120_000 }, async () => {
  const replica = await bundled(new URL("./replica.ts", import.meta.url));
  const port = 20_000 + ((process.pid * 17) % 20_000);
  const { attacks, problems } = await latencyCampaign({ replica, seconds: 0.4, part: 0.05, port, seed: 0 });
  expect(problems).toEqual([]);
  expect(Object.keys(attacks)).toHaveLength(5);
  expect(attacks["a flood of reviews"]!.answered).toBeGreaterThan(100);
});
