// The size of a first visit before a verdict can be shown, compressed: everything that the page and its worker import from the start.
// Schemas of built-in kinds stand in files of their own.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { PATIENCE } from "./visit.testing.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SITE = join(ROOT, "apps/cli/dist/site");

const GOAL = 350_000;

beforeAll(async () => {
  await (await import(pathToFileURL(join(ROOT, "scripts/build-playground.mjs")).href)).buildPlayground();
}, PATIENCE);

test("at most 350 kB", () => {
  const assets = readdirSync(join(SITE, "assets"));
  const worker = assets.find((name) => /^worker-.*\.js$/.test(name))!;
  const page = readFileSync(join(SITE, "index.html"), "utf8");
  const first = [...page.matchAll(/assets\/([\w.-]+)/g)].map(([, name]) => name!);
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    if (!name.endsWith(".js")) return;
    const text = readFileSync(join(SITE, "assets", name), "utf8");
    for (const [, other] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+)["']/g)) load(other!);
  };
  for (const name of [...first, worker]) load(name);
  const sizes = new Map(
    [...loaded].map((name) => [name.replace(/-[\w-]{8}\./, "."), sizeOf(join(SITE, "assets", name))]),
  );
  const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + sizes.get(name)!, 0);
  const isSchema = (name: string): boolean => name.startsWith("schemas.");
  expect([...sizes.keys()]).toEqual(expect.arrayContaining(["index.js", "index.css", "worker.js", "schemas.js"]));
  const program = sizeOf(join(SITE, "index.html")) + sum([...sizes.keys()].filter((name) => !isSchema(name)));
  expect(program).toBeLessThanOrEqual(GOAL);
  expect(sum([...sizes.keys()].filter(isSchema))).toBeLessThan(40_000);
});

test("the licences of the packages of page and worker go along, but not with the first visit", () => {
  const notices = readFileSync(join(SITE, "NOTICES.txt"), "utf8");
  for (const name of ["@codemirror/view", "asn1js"]) expect(notices).toContain(`\n${name} `);
  expect(readFileSync(join(SITE, "service-worker.js"), "utf8")).not.toContain("NOTICES");
});

/** Small files are sent as they are. */
function sizeOf(path: string): number {
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}
