// A short campaign in the ordinary run; `npm run faults` runs the whole one.

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { killCampaign } from "./campaign.ts";

test("a killed writer loses nothing it acknowledged", async () => {
  // Beside the packages, so that it finds the native one; from the sources, so that it needs no build.
  const writer = fileURLToPath(new URL(`../../../node_modules/.celadon-writer-${process.pid}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL("./writer.ts", import.meta.url))],
    outfile: writer,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    external: ["lmdb"],
  });
  try {
    const report = await killCampaign({ writer, times: 20, seconds: 12, seed: 16 });
    expect(report).toMatchObject({ lost: 0, problems: [] });
    expect(report.kills).toBeGreaterThan(0);
  } finally {
    rmSync(writer, { force: true });
  }
});
