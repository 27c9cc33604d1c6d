// ARCHITECTURE.md is true: its table and picture of packages are those of the manifests, and it names every directory of every package.

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { architecturePage } from "../../../scripts/architecture.mjs";
import { packages, ROOT, read, sources } from "./tree.ts";

test("the packages are those of the manifests", () => {
  expect(read("ARCHITECTURE.md"), "run node scripts/architecture.mjs").toBe(architecturePage());
});

/** The sections of a page, in which the sources of a package are named. */
const sections = read("ARCHITECTURE.md").split(/^## /m);

/** Directories that need no words: an extension and a page in the browser are read by their files. */
const WITHOUT_MAP = new Set(["apps/vscode", "apps/playground"]);

test.each(packages().filter((path) => !WITHOUT_MAP.has(path)))("every directory of %s is described", (path) => {
  const directories = new Set(sources(path).flatMap((file) => (file.includes("/") ? [file.split("/", 1)[0]!] : [])));
  const described = sections.filter((section) => section.includes(`\`${path}/src\``)).join();
  expect([...directories].filter((name) => !described.includes(`\`${name}/\``))).toEqual([]);
});

/** Rows of tables about the sources of a package: the package, and the names of the cell that has them. */
const rows = sections.flatMap((section) => {
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  const header = lines.map((line) => /`((?:packages|apps)\/[\w-]+)\/src`/.exec(line.split("|")[1] ?? "")?.[1]);
  return lines.flatMap((line, i) => {
    const [, first = "", second = ""] = line.split("|");
    const own = header[i];
    if (own !== undefined && !/^ (?:file|directory)/.test(first)) return [{ path: own, cell: second }];
    const above = header
      .slice(0, i)
      .findLast((path, k) => path !== undefined && /^\| (?:file|directory)/.test(lines[k]!));
    return above === undefined ? [] : [{ path: above, cell: first }];
  });
});

test("every file and directory of the tables exists", () => {
  const named = rows.flatMap(({ path, cell }) =>
    Array.from(cell.matchAll(/`([\w./-]+(?:\/|\.ts))`/g), ([, name = ""]) => `${path}/src/${name}`),
  );
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((name) => !existsSync(ROOT + name))).toEqual([]);
});

/** Modules that a package's sources import, by file. */
const importsIn = (path: string): [file: string, names: string[]][] =>
  sources(path).map((file) => [
    `${path}/src/${file}`,
    Array.from(read(`${path}/src/${file}`).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g), ([, name = ""]) => name),
  ]);

/** Imports that contradict the sentences of the page about who may import what. */
const wrongImports = (path: string, isWrong: (name: string, file: string) => boolean): string[] =>
  importsIn(path).flatMap(([file, names]) =>
    names.filter((name) => isWrong(name, file)).map((name) => `${file}: ${name}`),
  );

test("nothing imports a program", () => {
  const found = packages().flatMap((path) =>
    wrongImports(path, (name) => /^@celadon\/cli$|^celadon-|^(\.\.\/)+apps\//.test(name)),
  );
  expect(found).toEqual([]);
});

test("the systems of policies do not import each other", () => {
  const found = ["admission", "crd", "certpolicy"].flatMap((system) =>
    wrongImports(`packages/${system}`, (name) => /^@celadon\/(?:admission|crd|certpolicy)\b/.test(name)),
  );
  expect(found).toEqual([]);
});

test("only the HTTP server and transports of the API server know about sockets", () => {
  const found = wrongImports(
    "packages/apiserver",
    (name, file) =>
      /^node:(https?|net|tls|http2)$/.test(name) && !/\/src\/(http|pki)\/|https-transport\.ts$/.test(file),
  );
  expect(found).toEqual([]);
});

test("libraries that are not marked (Node) import nothing of Node's", () => {
  const free = packages().filter(
    (path) => path.startsWith("packages/") && !read(`${path}/tsconfig.json`).includes('"node"'),
  );
  expect(free.length).toBeGreaterThan(8);
  expect(free.flatMap((path) => wrongImports(path, (name) => name.startsWith("node:")))).toEqual([]);
});

/** Files of the command that deal with the process itself: its start, its streams, its caches of code, a protocol over stdio. */
const WITH_PROCESS = [
  "commands/lsp.ts",
  "io-node.ts",
  "main.ts",
  "mcp/serve.ts",
  "program/compiled-code.ts",
  "program/v8.ts",
  "start-compiled.ts",
  "start.ts",
];

test("only the start of the command uses the process", () => {
  const users = sources("apps/cli").filter((file) =>
    /(?<![\w.])process\.(?!platform\b)[a-z]/.test(read(`apps/cli/src/${file}`)),
  );
  expect(users.toSorted()).toEqual(WITH_PROCESS);
});
