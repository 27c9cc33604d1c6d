// Bundles the command with everything it imports, twice: as one file, and `up` as another, which can stay compiled between runs; and as a
// few files for short commands and for threads: one to start, one for each command, and shared ones. It is made from the sources, as the
// tests run them: it needs no build of the packages and is never behind them.

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noticesOf } from "./notices.mjs";
import { filesUnder, isNewer, root, sourcesOf } from "./sources.mjs";

const cli = join(root, "apps/cli");
const outdir = join(cli, "dist/bundle");
const made = join(outdir, "main.js");

/** The time for which files of an older bundle are kept, because it may still run. */
const KEEP_MS = 600_000;

/** The settings that every bundle of the command shares. */
export function bundleSettings() {
  const { version } = JSON.parse(readFileSync(join(cli, "package.json"), "utf8"));
  return {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    target: "es2022",
    // Not "node": bundling takes the modules of a dependency that can be shaken, not its files for require.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["source"],
    // Native code stays a package of its own.
    external: ["node:*", "lmdb"],
    plugins: [commonJsForNode, withoutSchemas],
    define: { CELADON_VERSION: JSON.stringify(version), CELADON_START: "undefined" },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
    write: false,
  };
}

/** Makes the bundle unless it is newer than everything it is made of. */
export async function bundleCommand() {
  const started = new Date();
  if (isCurrent()) return;
  const settings = bundleSettings();
  const assistants = await bundleForRequire(settings, "mcp/serve", { entryNames: "shared/mcp-[hash]" });
  const whole = await bundleWhole(settings, "celadon", [besides(assistants)]);
  const up = await bundleWhole(settings, "up", [onlyUp]);
  const start = await bundleForRequire(settings, "start-compiled");
  const { outputFiles, metafile } = await build({
    ...settings,
    define: {
      ...settings.define,
      CELADON_FILE: placeOf(whole),
      CELADON_UP: placeOf(up),
      CELADON_START: placeOf(start),
    },
    // Threads have entries of their own.
    entryPoints: ["src/main.ts", "src/mutate/worker.ts", "src/up/large-thread.ts"].map((path) => join(cli, path)),
    outdir,
    outbase: join(cli, "src"),
    chunkNames: "shared/[hash]",
    splitting: true,
    legalComments: "none",
    metafile: true,
  });
  const notices = {
    path: join(outdir, "NOTICES.txt"),
    contents: noticesOf("The celadon command", [
      ...Object.keys(metafile.inputs),
      ...whole.inputs,
      ...assistants.inputs,
    ]),
  };
  outputFiles.push(notices, start, up, whole, assistants);
  // Chunks are named by their content. With the entry last and whole, a command that starts meanwhile finds all its chunks.
  outputFiles.sort((a, b) => Number(a.path === made) - Number(b.path === made));
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const beside = `${path}.${process.pid}.tmp`;
    writeFileSync(beside, contents);
    if (path === made) utimesSync(beside, started, started);
    renameSync(beside, path);
  }
  const kept = new Set(outputFiles.map(({ path }) => path));
  for (const path of filesUnder(outdir)) {
    if (!kept.has(path) && Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true });
  }
}

/** All verbs in one file, as a function. */
function bundleWhole(settings, name, plugins = []) {
  return bundleForRequire(settings, "start", {
    entryNames: `shared/${name}-[hash]`,
    define: { ...settings.define, "import.meta.url": "fileUrl" },
    banner: {
      js: `(function (exports, require, module, __filename) {
        const fileUrl = require("node:url").pathToFileURL(__filename).href;`,
    },
    footer: { js: "})" },
    external: ["node:*"],
    plugins: [...plugins, bytesInLmdb, ...settings.plugins],
  });
}

/** The protocol of `celadon mcp` is a file of its own, so that no other command reads it. */
function besides({ path }) {
  return {
    name: "besides",
    setup({ onResolve }) {
      onResolve({ filter: /\/mcp\/serve\.ts$/ }, () => ({ path: `./${basename(path)}`, external: true }));
    },
  };
}

/** A server is ready sooner when V8 need not know the other verbs. */
const onlyUp = {
  name: "only-up",
  setup({ onResolve }) {
    onResolve({ filter: /\/commands\/index\.ts$/ }, () => ({ path: join(cli, "src/up-alone.ts") }));
  },
};

/** A single file for `require`. */
async function bundleForRequire(settings, name, more = {}) {
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: [join(cli, `src/${name}.ts`)],
    outdir,
    entryNames: "shared/[name]-[hash]",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    supported: { "dynamic-import": false },
    legalComments: "none",
    metafile: true,
    ...more,
  });
  const [{ path, contents }] = outputFiles;
  return { path, contents, inputs: Object.keys(metafile.inputs) };
}

function placeOf({ path }) {
  return JSON.stringify(`./${relative(outdir, path)}`);
}

/**
 * The lmdb package without what tables of bytes do not use. Its native code stays where it was installed, and is found from there; for that
 * the package detects the C library, and runs a program if nothing else tells.
 */
const bytesInLmdb = {
  name: "bytes-in-lmdb",
  setup({ onResolve, onLoad }) {
    const lmdb = createRequire(import.meta.url).resolve("lmdb");
    onResolve({ filter: /^lmdb$/ }, ({ kind }) => (kind === "require-resolve" ? { external: true } : { path: lmdb }));
    onLoad({ filter: /\/lmdb\/dist\/index\.cjs$/ }, ({ path }) => ({
      contents: `const __filename = require.resolve("lmdb");${readFileSync(path, "utf8")}`,
    }));
    onResolve({ filter: /^(?:msgpackr|weak-lru-cache)$/ }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "" }));
    onResolve({ filter: /^child_process$/ }, ({ path, importer }) =>
      importer.includes("/detect-libc/") ? { path, namespace: "when-used" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "when-used" }, ({ path }) => ({
      contents: `exports.execSync = (...given) => require("node:${path}").execSync(...given);`,
    }));
  },
};

/**
 * The language server library has an entry for Node alone, which requires Node's modules by their old names. It is taken by its path, and
 * those modules by their new names.
 */
const commonJsForNode = {
  name: "commonjs-for-node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode-[\w-]+\/node$/ }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path),
    }));
    onResolve({ filter: /^(?:node:)?(?:child_process|crypto|fs|net|os|path|url|util)$/ }, ({ path, kind }) =>
      kind === "require-call" ? { path: path.replace(/^node:/, ""), namespace: "node-module" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "node-module" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
    }));
  },
};

/** The assistants' protocol validates answers to questions that the server never asks. */
const withoutSchemas = {
  name: "without-schemas",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/validation\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: "no-schemas" }));
    onLoad({ filter: /.*/, namespace: "no-schemas" }, () => ({ contents: "export class AjvJsonSchemaValidator {}" }));
  },
};

function isCurrent() {
  return isNewer(made, [fileURLToPath(import.meta.url), ...sourcesOf(cli)]);
}
