// No block of a page goes unread. Programs and sessions run; files are used by sessions; blocks that cannot run here, such as a workflow of
// a CI system, are parsed, and the command lines in them, in scripts and in prose, have commands and flags that exist.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEnv } from "@celadon/cel";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { callsIn, wrongWith } from "./command-lines.ts";
import { type Block, fileOf, type Page, pages, proseOf, ROOT } from "./pages.ts";

/** The scripts of a workspace, or of the root. */
function scriptsOf(workspace: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(ROOT, workspace, "package.json"), "utf8")).scripts ?? {};
}

/** Finds the problems of a block, by its language. Blocks of `js`, `ts` and `console` run, in tests of their own. */
const CHECKS: Readonly<Record<string, (block: Block, page: Page) => readonly string[]>> = {
  js: () => [],
  ts: () => [],
  console: () => [],
  // Suites run where the format is tested.
  yaml: ({ info, text }) =>
    info === "suite" ? [] : parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message)),
  json: ({ text }) => attempt(() => JSON.parse(text)),
  cel: ({ text }) =>
    createEnv()
      .parse(text)
      .issues.map(({ message }) => message),
  sh: ({ text }) => [
    ...[...text.matchAll(/\bnpm run ([\w:]+)(?: --workspace (\S+))?/g)].flatMap(([, name = "", workspace = ""]) =>
      Object.hasOwn(scriptsOf(workspace), name) ? [] : [`no script "${name}" in ${join(workspace, "package.json")}`],
    ),
    ...[...text.matchAll(/\bnpm run bench -- (\w+)/g)].flatMap(([, name = ""]) =>
      readFileSync(join(ROOT, "scripts/run.mjs"), "utf8").includes(`\n    ${name}: "bench/dist/`)
        ? []
        : [`no benchmark "${name}" in scripts/run.mjs`],
    ),
  ],
  mermaid: (block) =>
    /^(graph|flowchart|sequenceDiagram)\b/.test(block.text) ? brackets(block) : ["unknown kind of picture"],
  // Settings of editors.
  lua: brackets,
  toml: brackets,
  scheme: brackets,
  rust: brackets,
  // The demonstration's own test compares the output of `npm run demo`.
  text: ({ text }, { path }) => (text.startsWith("$ ") && path !== "README.md" ? ["a session is a console block"] : []),
  "": ({ text }) => (/^\$ /m.test(text) ? ["a session is a console block"] : []),
};

test.each(pages)("$path", async (page) => {
  const wrong = page.blocks.flatMap((block) => {
    const check = Object.hasOwn(CHECKS, block.language) ? CHECKS[block.language]! : () => ["unknown language"];
    const unused = fileOf(block) !== undefined && !page.blocks.some(isRun) ? ["no session uses the file"] : [];
    return [...check(block, page), ...unused].map((message) => `${page.path}:${block.line}: ${message}`);
  });
  expect(wrong).toEqual([]);
  const calls = [...page.blocks.flatMap(shellIn), ...inlineCode(page)].flatMap(callsIn);
  const failures = await Promise.all(calls.map(wrongWith));
  expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
});

const isRun = ({ language, info }: Block): boolean => language === "console" || info === "suite";

/** Shell in a block: a script, or any text of a workflow. */
function shellIn({ language, text }: Block): readonly string[] {
  if (language === "sh") return [text];
  if (language !== "yaml") return [];
  return parseAllDocuments(text).flatMap((document) => textsIn(document.toJS()));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** `celadon …` in prose, unless it stands for any verb. */
function inlineCode(page: Page): readonly string[] {
  return [...proseOf(page).matchAll(/(?<!`)`(celadon [a-z][^`]*)`(?!`)/g)].map(([, code]) =>
    code!.replaceAll(/\s*…/g, " x"),
  );
}

/** For languages without a parser here: every bracket is closed by its own kind. */
function brackets({ text }: Block): readonly string[] {
  const open: string[] = [];
  for (const [sign] of text.replaceAll(/"(?:[^"\\]|\\.)*"|'[^'\n]*'/g, "").matchAll(/[()[\]{}]/g)) {
    if ("([{".includes(sign)) open.push(sign);
    else if (open.pop() !== "([{"[")]}".indexOf(sign)]) return [`"${sign}" closes nothing`];
  }
  return open.map((sign) => `"${sign}" is not closed`);
}

function attempt(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
