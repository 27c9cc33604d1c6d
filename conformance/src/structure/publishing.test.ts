// Packages as they are published: publint and are-the-types-wrong find nothing, exports lead to files that are shipped, source maps
// carry their sources, links of the page lead to files of the repository. Needs a build.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import { PAGES, publishedPackages, stagePackage } from "../../../scripts/stage-package.mjs";
import { ROOT } from "./tree.ts";

type Files = ReadonlyMap<string, Uint8Array>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly directory?: string };
  readonly exports?: object;
  readonly devDependencies?: object;
}

const textOf = (files: Files, path: string): string => new TextDecoder().decode(files.get(path));
const manifestOf = (files: Files): Manifest => JSON.parse(textOf(files, "package.json")) as Manifest;

async function publintProblems(files: Files): Promise<string[]> {
  const packed = Array.from(files, ([name, data]) => ({ name: `/package/${name}`, data }));
  const { messages } = await publint({ pkgDir: "/package", pack: { files: packed }, strict: true });
  const manifest = manifestOf(files) as unknown as Record<string, unknown>;
  return messages.map((message) => formatMessage(message, manifest, { color: false }) ?? message.code);
}

/** Packages are ES modules: what old or CommonJS resolution makes of them does not matter. */
const RESOLUTIONS = new Set(["node16-esm", "bundler"]);

async function typeProblems(files: Files): Promise<unknown[]> {
  const { name, version } = manifestOf(files);
  const texts = Array.from(files.keys(), (path) => [`/node_modules/${name}/${path}`, textOf(files, path)]);
  const result = await checkPackage(new Package(Object.fromEntries(texts), name, version));
  if (result.types === false) return ["no types"];
  return result.problems.filter((problem) => !("resolutionKind" in problem) || RESOLUTIONS.has(problem.resolutionKind));
}

/** Every file that an entry of `exports` names, under any condition. */
function targetsOf(exports: unknown): string[] {
  if (typeof exports === "string") return [exports.replace("./", "")];
  return Object.values(exports as object).flatMap(targetsOf);
}

function isShipped(files: Files, target: string): boolean {
  const [start = "", end] = target.split("*");
  return end === undefined
    ? files.has(target)
    : [...files.keys()].some((file) => file.startsWith(start) && file.endsWith(end));
}

const conditionsOf = (exports: unknown): string[] =>
  typeof exports === "string"
    ? []
    : Object.entries(exports as object).flatMap(([key, value]) => [key, ...conditionsOf(value)]);

test.each(publishedPackages())("%s", { timeout: 120_000 }, async (path) => {
  const files = stagePackage(path);
  const { repository, exports, devDependencies } = manifestOf(files);
  expect(repository?.directory).toBe(path);
  expect(devDependencies).toBeUndefined();
  expect(await publintProblems(files)).toEqual([]);
  if (exports !== undefined) {
    expect(conditionsOf(exports)).not.toContain("source");
    expect(targetsOf(exports).filter((target) => !isShipped(files, target))).toEqual([]);
    expect(await typeProblems(files)).toEqual([]);
  }
  expect(links(textOf(files, "README.md")).filter((target) => !leads(target))).toEqual([]);
  expect([...files.keys()].filter((file) => file.endsWith(".map") && !hasSources(files, file))).toEqual([]);
});

const links = (text: string): string[] => Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);

function leads(target: string): boolean {
  if (target.startsWith(PAGES)) return existsSync(join(ROOT, target.slice(PAGES.length).replace(/#.*/, "")));
  return target.startsWith("https://") || target.startsWith("#");
}

function hasSources(files: Files, file: string): boolean {
  const { sources, sourcesContent } = JSON.parse(textOf(files, file)) as {
    sources: string[];
    sourcesContent?: unknown[];
  };
  return sources.every((_, i) => typeof sourcesContent?.[i] === "string");
}

test("a package that is wrong is found", async () => {
  const files = stagePackage("packages/base");
  const manifest = {
    ...manifestOf(files),
    exports: { ".": { default: "./dist/nowhere.js", types: "./dist/index.d.ts" } },
  };
  files.set("package.json", new TextEncoder().encode(JSON.stringify(manifest)));
  expect(await publintProblems(files)).not.toEqual([]);
  expect(await typeProblems(files)).not.toEqual([]);
});
