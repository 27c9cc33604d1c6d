// The directories of a package import one way; a file directly in `src` counts as a directory of its own. If ARCHITECTURE.md lists the
// directories of a package in their order, they import only from those above them. Tests may import anything.

import { expect, test } from "vitest";
import { importsOf, read, sources, workspaces } from "./tree.ts";

/** Packages whose table in ARCHITECTURE.md is an order. */
const ORDERED = ["packages/cel", "packages/apiserver"];

const unitOf = (file: string): string => file.split("/", 1)[0]!;

/** For every directory, the directories it imports with one file that does. */
function edges(path: string): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const file of sources(path)) {
    const from = unitOf(file);
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets);
    for (const target of importsOf(path, file)) {
      const to = unitOf(target);
      if (to !== from && !targets.has(to)) targets.set(to, `${file} imports ${target}`);
    }
  }
  return graph;
}

/** Directories that import each other, with the imports that do it: the rest after removing those that only import finished ones. */
function knot(graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const left = new Set(graph.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const unit of left) {
      if (![...graph.get(unit)!.keys()].some((target) => left.has(target))) left.delete(unit);
    }
  }
  // Directories that nothing else imports only stand before the knot.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const unit of left) if (![...left].some((other) => graph.get(other)!.has(unit))) left.delete(unit);
  }
  return [...left].flatMap((unit) => [...graph.get(unit)!].filter(([to]) => left.has(to)).map(([, why]) => why));
}

test.each(workspaces())("%s: directories import one way", (path) => {
  const graph = edges(path);
  expect(graph.size).toBeGreaterThan(0);
  expect(knot(graph)).toEqual([]);
});

/** The directories of a package's table in ARCHITECTURE.md, in its order. */
function listed(path: string): string[] {
  const lines = read("ARCHITECTURE.md").split("\n");
  const start = lines.findIndex((line) => line.includes(`\`${path}/src\``));
  const table = lines.slice(start).findIndex((line) => line.startsWith("| `"));
  const rows = lines.slice(start + table);
  const cells = rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) => line.split("|")[1]!);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([\w-]+)\/`/g), ([, name = ""]) => name));
}

test.each(ORDERED)("%s: in the order of ARCHITECTURE.md", (path) => {
  const order = listed(path);
  expect(order.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const [from, targets] of edges(path)) {
    if (from.endsWith(".ts")) continue;
    if (!order.includes(from)) wrong.push(`${from}/ is not listed`);
    for (const [to, why] of targets) {
      const at = order.indexOf(to);
      if (at !== -1 && at > order.indexOf(from)) wrong.push(why);
    }
  }
  expect(wrong).toEqual([]);
});
