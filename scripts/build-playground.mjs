// Builds the playground's static files into the command's package, each with a copy that is compressed as far as it goes, unless they are
// newer than everything they are made of. One process builds at a time; the others wait for its files. Servers read all files when they
// start, so running ones keep theirs.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { filesUnder, isNewer, root, sourcesOf } from "./sources.mjs";

const playground = join(root, "apps/playground");
const site = join(root, "apps/cli/dist/site");
const made = join(site, "index.html");

/** Files below this are not worth it. */
const SMALLEST = 500;

export async function buildPlayground() {
  const lock = `${site}.lock`;
  while (!isCurrent()) {
    if (!take(lock)) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      if (!isCurrent()) await build();
    } finally {
      rmSync(lock, { force: true });
    }
    return;
  }
}

/** The lock holds the number of its process: one that was killed has none. */
function take(lock) {
  mkdirSync(dirname(lock), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const pid = holderOf(lock);
  if (pid !== 0 && !isRunning(pid)) rmSync(lock, { force: true });
  return false;
}

/** 0 while it is being written, or when the other has just finished. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function build() {
  const started = new Date();
  const vite = await import("vite");
  // Beside the old ones, which others may be reading, and put in their place as a whole.
  const outDir = `${site}-${process.pid}`;
  await vite.build({ configFile: join(playground, "vite.config.mjs"), logLevel: "error", build: { outDir } });
  for (const file of filesUnder(outDir)) {
    const bytes = readFileSync(file);
    if (bytes.length >= SMALLEST) writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  }
  // Files that changed meanwhile are newer.
  utimesSync(join(outDir, "index.html"), started, started);
  const old = `${outDir}-old`;
  if (existsSync(site)) renameSync(site, old);
  renameSync(outDir, site);
  rmSync(old, { recursive: true, force: true });
}

function isCurrent() {
  const own = ["index.html", "vite.config.mjs", "public/icon.svg"].map((name) => join(playground, name));
  const parts = [fileURLToPath(import.meta.url), ...own, ...sourcesOf(playground)];
  return existsSync(`${made}.br`) && isNewer(made, parts);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildPlayground();
