// The directories of the engine import one way, from the last of this list towards the first. Tests may import what they like.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ORDER = [
  "value",
  "regex",
  "cost",
  "types",
  "ast",
  "call",
  "parse",
  "check",
  "estimate",
  "lib",
  "plan",
  "run",
  "canonical",
  "explain",
  "format",
  "proto",
  ".",
];

const root = dirname(fileURLToPath(import.meta.url));

/** The first step of a path below the root: its directory, or "." for a file of the root itself. */
function directoryOf(path: string): string {
  const steps = relative(root, path).split(sep);
  return steps.length === 1 ? "." : (steps[0] as string);
}

function sources(): string[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name));
  return files.filter((name) => /\.ts$/.test(name) && !/\.(test|testing)\.ts$/.test(name));
}

test("directories import one way", () => {
  const wrong: string[] = [];
  let imports = 0;
  for (const file of sources()) {
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s+"(\.[^"]+)"/g)) {
      imports++;
      const [from, to] = [directoryOf(file), directoryOf(join(dirname(file), target))];
      if (!ORDER.includes(from) || !ORDER.includes(to) || ORDER.indexOf(to) > ORDER.indexOf(from))
        wrong.push(`${relative(root, file)} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(imports).toBeGreaterThan(500);
});
