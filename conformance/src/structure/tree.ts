// The tree of this repository as tests of its structure see it: packages, their source files, what those import.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

/** Directories of packages and programs, from the root: "packages/cel", "apps/cli". */
export function packages(): string[] {
  return ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(ROOT, parent))
      .map((name) => `${parent}/${name}`)
      .filter((path) => existsSync(join(ROOT, path, "package.json")) && existsSync(join(ROOT, path, "src"))),
  );
}

/** The same with the programs that test and measure. */
export function workspaces(): string[] {
  return [...packages(), "bench", "conformance", "faults", "fuzz"];
}

/** Source files of a package, from its `src`, without tests and their helpers. */
export function sources(path: string): string[] {
  const files = readdirSync(join(ROOT, path, "src"), { recursive: true, encoding: "utf8" });
  return files.filter((name) => /\.tsx?$/.test(name) && !/\.(test|testing)\.ts$/.test(name)).map(slashes);
}

/** Files of the same package that a file imports, types and files loaded later included, from its `src`. */
export function importsOf(path: string, file: string): string[] {
  const text = readFileSync(join(ROOT, path, "src", file), "utf8");
  const targets = Array.from(text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g), ([, target = ""]) => target);
  return targets.map((target) => slashes(relative(".", join(dirname(file), target))));
}

/** Reads a file of the repository. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const slashes = (path: string): string => path.split(sep).join("/");
