// A directory can be read at one glance, and generated files are recognised by their place.

import { dirname } from "node:path";
import { expect, test } from "vitest";
import { read, sources, workspaces } from "./tree.ts";

/** More files than this in one directory, and it needs directories of its own. Tests lie beside their files and do not count. */
const MOST_FILES = 25;

test.each(workspaces())("%s: no directory has too many files", (path) => {
  const counts = new Map<string, number>();
  for (const file of sources(path).filter((name) => !name.includes("generated/"))) {
    const directory = `${path}/src/${dirname(file)}`;
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  const tooMany = [...counts].filter((entry) => entry[1] > MOST_FILES);
  expect(tooMany).toEqual([]);
});

test.each(workspaces())("%s: generated files lie in generated/", (path) => {
  const generated = sources(path).filter((file) => /^\/\/ Generated\b/.test(read(`${path}/src/${file}`)));
  expect(generated.filter((file) => !/(^|\/)generated\//.test(file))).toEqual([]);
});
