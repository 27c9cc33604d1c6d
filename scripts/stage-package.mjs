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
  for (const pattern of listed) {
    for (const file of filesBelow(join(root, path), pattern)) {
      if (isCurrent(path, file)) files.set(file, readFileSync(join(root, path, file)));
    }
  }
  return files;
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
