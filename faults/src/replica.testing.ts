// A program of a campaign from its sources, so that a test needs no build.

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/** The file of the bundle, until the test is over. */
export async function bundled(source: URL): Promise<string> {
  const name = source.pathname.replaceAll(/[^a-z]+/g, "-");
  const outfile = fileURLToPath(new URL(`../../node_modules/.celadon${name}-${process.pid}.mjs`, import.meta.url));
  onTestFinished(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}
