// Real-world policies and definitions: lint has an answer to every one, and an error for each that a real API server refused.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lint, problemPlace } from "@celadon/lint";
import { expect, test } from "vitest";
import { CORPUS, corpusCaseNames, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { testIo } from "../io.testing.ts";
import { loadManifests } from "../sources/index.ts";

const cases = (["policies", "crds"] as const).flatMap((part) =>
  everyNth(corpusCaseNames(part), 2).map((name) => join(CORPUS, part, name)),
);

interface Answer {
  readonly code: number;
  readonly policy?: string;
  readonly binding?: string;
  readonly name?: string;
}

async function lintCase(folder: string): Promise<Awaited<ReturnType<typeof lint>>> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  const io = testIo({ files: Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])) });
  const { manifests } = await loadManifests(names, {}, io);
  return lint(manifests);
}

/** Names that the API server refused when the case was set up. */
function refusedIn(folder: string): string[] {
  const path = join(folder, "recorded.json");
  if (!existsSync(path)) return [];
  const { setup = [], crds = [] } = JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly Answer[]>;
  return [...setup, ...crds].flatMap(({ code, policy, binding, name }) =>
    code < 400 ? [] : [policy ?? binding ?? name ?? ""],
  );
}

test.skipIf(!hasCorpus)("every case of the corpus", { timeout: 300_000 }, async () => {
  const wrong: string[] = [];
  let refusals = 0;
  for (const folder of cases) {
    const { resources, problems } = await lintCase(folder);
    const refused = new Set(refusedIn(folder));
    refusals += refused.size;
    for (const problem of problems)
      if (problemPlace(problem) === undefined) wrong.push(`${folder}: ${problem.code} has no place`);
    for (const { object } of resources) {
      const name = object.metadata?.name ?? "";
      const codes = problems.filter(({ level, manifest }) => level === "error" && manifest.object === object);
      const serious = codes.filter(({ code }) => REFUSALS.has(code)).map(({ code, message }) => `${code} ${message}`);
      if (serious.length > 0 !== refused.has(name)) {
        wrong.push(`${folder} ${name}: ${refused.has(name) ? "refused" : "taken"}, lint: ${serious.join("; ")}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(refusals).toBeGreaterThan(0);
});

const REFUSALS: ReadonlySet<string> = new Set(["unreadable", "invalid_field", "compile_error", "cost_over_limit"]);
