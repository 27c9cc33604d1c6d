// A package in its published form. It differs from the one in this tree: its exports have no `source` condition, because sources are not
// shipped; tools that build and test it are not listed; links of its page lead to the repository; it has the changes and the licence.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The address to which links of a page lead, by the path of a file from the root of the repository. */
export const PAGES = "https://github.com/celadon-dev/celadon/blob/main/";

/** Directories of the packages that are published, from the root. */
export function publishedPackages() {
  return ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((path) => existsSync(join(root, path, "package.json")) && !manifestOf(path).private),
  );
}

/** The files of a published package by their paths in it, as bytes. */
export function stagePackage(path) {
  const manifest = manifestOf(path);
  const files = new Map([
    ["package.json", Buffer.from(`${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)],
    ["README.md", Buffer.from(withAbsoluteLinks(readFileSync(join(root, path, "README.md"), "utf8"), path))],
    ["CHANGELOG.md", readFileSync(join(root, path, "CHANGELOG.md"))],
    ["LICENSE", readFileSync(join(root, "LICENSE"))],
  ]);
  const listed = manifest.files.filter((pattern) => !pattern.startsWith("!"));
  const bundled = bundledModules(join(root, path, "dist/bundle"));
  for (const pattern of listed) {
    for (const file of filesBelow(join(root, path), pattern)) {
      const isOld =
        bundled !== undefined &&
        /^dist\/bundle\/.*\.c?js$/.test(file) &&
        !bundled.has(file.slice("dist/bundle/".length));
      if (isCurrent(path, file) && !isOld) files.set(file, readFileSync(join(root, path, file)));
    }
  }
  return files;
}

/** The modules that the command's bundle starts with, and all that they name: the directory has those of older bundles as well. */
function bundledModules(directory) {
  if (!existsSync(join(directory, "main.js"))) return undefined;
  const found = new Set();
  const open = ["main.js"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(join(directory, path))) continue;
    found.add(path);
    const text = readFileSync(join(directory, path), "utf8");
    for (const [, target] of text.matchAll(/["'](\.\.?\/[\w./-]+\.c?js)["']/g))
      open.push(posix.join(posix.dirname(path), target));
  }
  return found;
}

/** Whether a file is neither left over from a deleted source nor the compiler's own. */
function isCurrent(path, file) {
  if (file.endsWith(".tsbuildinfo")) return false;
  if (!file.startsWith("dist/") || /^dist\/(?:bundle|docs|site)\//.test(file)) return true;
  return existsSync(join(root, path, file.replace(/^dist\//, "src/").replace(/\.(d\.ts|js|js\.map)$/, ".ts")));
}

const manifestOf = (path) => JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));

function publishedManifest({ devDependencies: _, scripts: __, exports, ...rest }) {
  const manifest = { ...rest, files: [...rest.files, "CHANGELOG.md"] };
  return exports === undefined ? manifest : { ...manifest, exports: withoutSource(exports) };
}

function withoutSource(exports) {
  if (typeof exports !== "object" || exports === null) return exports;
  const kept = Object.entries(exports).filter(([condition]) => condition !== "source");
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSource(target)]));
}

/** The registry shows the page of a package alone: there is nothing beside it. */
function withAbsoluteLinks(text, path) {
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, target) => `](${PAGES}${posix.join(path, target)})`);
}

function filesBelow(directory, path) {
  const at = join(directory, path);
  if (!existsSync(at)) return [];
  if (!statSync(at).isDirectory()) return [path];
  return readdirSync(at).flatMap((name) => filesBelow(directory, `${path}/${name}`));
}
