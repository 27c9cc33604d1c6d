// Every exported name of a package has a description and one entry point.

import { expect, test } from "vitest";
import { type Declaration, exportsOf, isDocumented } from "./exports.ts";
import { packages, read } from "./tree.ts";

type Exports = Readonly<Record<string, { readonly source?: string }>>;

/** The entry points of a package with their exports. */
function entriesOf(path: string): [entry: string, Map<string, Declaration>][] {
  const { exports = {} } = JSON.parse(read(`${path}/package.json`)) as { exports?: Exports };
  return Object.entries(exports).flatMap(([entry, { source }]) =>
    source && !source.includes("*") ? [[entry, exportsOf(`${path}/${source.replace("./", "")}`)]] : [],
  );
}

/** Declarations that the entry points of a package lead to, each once. */
function declarationsOf(path: string): Declaration[] {
  const all = entriesOf(path).flatMap(([, exported]) => [...exported.values()]);
  return [...new Map(all.map((declaration) => [`${declaration.file} ${declaration.name}`, declaration])).values()];
}

const LIBRARIES = packages().filter((path) => path.startsWith("packages/"));

test.each(LIBRARIES)("%s: exports are documented", (path) => {
  const declared = declarationsOf(path);
  expect(declared.length).toBeGreaterThan(0);
  const missing = declared
    .filter((declaration) => !isDocumented(declaration))
    .map(({ file, name }) => `${file}: ${name}`);
  expect(missing).toEqual([]);
});

test.each(LIBRARIES)("%s: a declaration has one entry point", (path) => {
  const homes = new Map<string, string[]>();
  for (const [entry, exported] of entriesOf(path)) {
    for (const { file, name } of exported.values()) {
      const declared = `${file} ${name}`;
      homes.set(declared, [...(homes.get(declared) ?? []), entry]);
    }
  }
  const several = [...homes].filter(([, entries]) => entries.length > 1);
  expect(several.map(([declared, entries]) => `${declared}: ${entries.join(" and ")}`)).toEqual([]);
});

/** A door with more names than this is split by subject. */
const MOST_NAMES = 50;

/** Doors that are larger, with their size: it may shrink and not grow. */
const MORE_NAMES: Readonly<Record<string, number>> = {
  "packages/cel": 85, // types of every stage: compile, evaluate, extend
  "packages/certpolicy": 71,
  "packages/language": 56,
  "packages/merge": 54,
};

test.each(LIBRARIES)("%s: no door has too many names", (path) => {
  const sizes = entriesOf(path).map(([entry, exported]): [string, number] => [entry, exported.size]);
  const most = (entry: string): number => (entry === "." ? (MORE_NAMES[path] ?? MOST_NAMES) : MOST_NAMES);
  expect(sizes.filter(([entry, size]) => size > most(entry))).toEqual([]);
  const listed = MORE_NAMES[path];
  if (listed !== undefined) expect(sizes.find(([entry]) => entry === ".")?.[1], "shrink the list too").toBe(listed);
});

/** Types of one name in several packages, with the reason why each keeps it. */
const SEVERAL_MEANINGS: Readonly<Record<string, string>> = {
  Call: "a node of an expression, as every syntax tree calls it, and a request to the API server; nothing has both",
  Schema: "JSON schemas: a whole one, and the part of it that types of expressions are made from",
  ValidationRule:
    "the word of two resources, CRDs and certificate policies; `kube` has the rule as it is written, `crd` as it is valid",
};

test("a type has one meaning in all packages", () => {
  const homes = new Map<string, Set<string>>();
  for (const path of LIBRARIES) {
    for (const { file, name } of declarationsOf(path)) {
      if (!/^[A-Z]\w*[a-z]/.test(name)) continue;
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  const several = [...homes].filter(([, files]) => new Set([...files].map((file) => file.split("/")[1])).size > 1);
  expect(several.map(([name]) => name).toSorted()).toEqual(Object.keys(SEVERAL_MEANINGS).toSorted());
});
