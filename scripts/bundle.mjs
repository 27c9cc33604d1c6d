// Bundles packages for Node, so that a program loads a few files instead of hundreds: reading modules one by one is most of
// what a cold start costs. An export whose `node` condition is `./dist/bundle/x.js` is bundled from `./dist/x.js`; what entry
// points share goes into common chunks, so that there is one of every class. Bundlers take the modules as they are, which
// they can shake.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const cli = fileURLToPath(new URL("../apps/cli/", import.meta.url));

for (const name of readdirSync(packages)) {
  const folder = join(packages, name);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) continue;
  const entries = bundledEntries(JSON.parse(readFileSync(manifest, "utf8")).exports ?? {}, folder);
  if (entries.length === 0 || isCurrent(join(folder, "dist/bundle/index.js"), [folder])) continue;
  await build({
    ...common(folder),
    entryPoints: entries,
    platform: "neutral",
    packages: "external",
    sourcemap: true,
  });
}

// The command takes everything with it, so that what is installed is a few files: one to start, one for a verb, one for what
// verbs share.
const made = join(cli, "dist/bundle/main.js");
const parts = readdirSync(packages).map((name) => join(packages, name));
if (!isCurrent(made, [cli, ...parts])) {
  const { version } = JSON.parse(readFileSync(join(cli, "package.json"), "utf8"));
  rmSync(join(cli, "dist/bundle"), { recursive: true, force: true });
  await build({
    ...common(cli),
    entryPoints: [join(cli, "dist/main.js")],
    // Not "node": modules that can be shaken are taken, and not what is bundled for Node or written for require.
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*"],
    define: { CELADON_VERSION: JSON.stringify(version) },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
  });
}

function common(folder) {
  return {
    outdir: join(folder, "dist/bundle"),
    outbase: join(folder, "dist"),
    chunkNames: "shared/[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  };
}

function bundledEntries(exports, folder) {
  return Object.values(exports).flatMap((conditions) => {
    const target = typeof conditions === "object" ? conditions.node : undefined;
    return target?.startsWith("./dist/bundle/") ? [join(folder, target.replace("/bundle/", "/"))] : [];
  });
}

/** True when what was made is newer than everything the compiler last wrote in these folders, and than what says how to make it. */
function isCurrent(made, folders) {
  if (!existsSync(made)) return false;
  const since = statSync(made).mtimeMs;
  return folders
    .flatMap((folder) => [join(folder, "dist/.tsbuildinfo"), join(folder, "package.json")])
    .concat(fileURLToPath(import.meta.url))
    .every((path) => !existsSync(path) || statSync(path).mtimeMs <= since);
}
