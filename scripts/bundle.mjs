// Bundles packages for Node, so that a program loads a few files instead of hundreds: reading modules one by one is most of the time of a
// cold start. An export whose `node` condition is `./dist/bundle/x.js` is bundled from `./dist/x.js`; shared modules of entry points go
// into common chunks, so that every class exists once. Bundlers take the modules as they are, which they can shake.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleCommand } from "./bundle-command.mjs";
import { copyPages } from "./copy-pages.mjs";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

for (const name of readdirSync(packages)) {
  const folder = join(packages, name);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) continue;
  const entries = bundledEntries(JSON.parse(readFileSync(manifest, "utf8")).exports ?? {}, folder);
  if (entries.length === 0 || isCurrent(folder)) continue;
  const { metafile } = await build({
    entryPoints: entries,
    outdir: join(folder, "dist/bundle"),
    outbase: join(folder, "dist"),
    chunkNames: "shared/[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    packages: "external",
    sourcemap: true,
    logLevel: "warning",
    metafile: true,
  });
  removeOthers(join(folder, "dist/bundle"), new Set(Object.keys(metafile.outputs).map((file) => resolve(file))));
}
await bundleCommand();
copyPages();

function bundledEntries(exports, folder) {
  return Object.values(exports).flatMap((conditions) => {
    const target = typeof conditions === "object" ? conditions.node : undefined;
    return target?.startsWith("./dist/bundle/") ? [join(folder, target.replace("/bundle/", "/"))] : [];
  });
}

/** Chunks are named by their content, so that a new bundle does not replace those of the one before. */
function removeOthers(directory, outputs) {
  for (const name of readdirSync(directory, { recursive: true })) {
    const file = join(directory, name);
    if (statSync(file).isFile() && !outputs.has(file)) rmSync(file);
  }
}

/** True when the bundle is newer than everything the compiler last wrote. */
function isCurrent(folder) {
  const made = join(folder, "dist/bundle/index.js");
  const compiled = join(folder, "dist/.tsbuildinfo");
  return existsSync(made) && statSync(made).mtimeMs >= statSync(compiled).mtimeMs;
}
