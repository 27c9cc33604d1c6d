// Real-world policies and definitions with their objects: every expression gets a row, and the cost on a real API server is within its
// limits.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CORPUS, corpusCaseNames, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { runLine } from "../io.testing.ts";

const cases = (["policies", "crds"] as const).flatMap((part) =>
  everyNth(corpusCaseNames(part), 4).map((name) => join(CORPUS, part, name)),
);

interface Report {
  readonly expressions: readonly {
    readonly expression?: string;
    readonly measured?: object;
    readonly tooCostly: boolean;
  }[];
}

/** Made to exceed a limit when it runs. */
const EXCEEDS = /\/cost-per-call-native$/;

/** Objects beyond these cost time and tell nothing new. */
const OBJECTS = 3;

function filesOf(folder: string): Record<string, Uint8Array> {
  const objects = join(folder, "objects");
  const names = [
    ...readdirSync(folder).filter((name) => name.endsWith(".yaml")),
    ...(existsSync(objects) ? readdirSync(objects).slice(0, OBJECTS) : []).map((name) => `objects/${name}`),
  ];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Whether everything was taken when the case was set up. */
function isTaken(folder: string): boolean {
  const path = join(folder, "recorded.json");
  if (!existsSync(path)) return false;
  const { setup = [], crds = [] } = JSON.parse(readFileSync(path, "utf8")) as Record<
    string,
    readonly { code: number }[]
  >;
  return [...setup, ...crds].every(({ code }) => code < 400);
}

test.skipIf(!hasCorpus)("cases of the corpus", { timeout: 300_000 }, async () => {
  const wrong: string[] = [];
  let [expressions, measured] = [0, 0];
  for (const folder of cases) {
    const { code, stdout, stderr } = await runLine(["cost", "-f", ".", "-o", "json", "-q"], { files: filesOf(folder) });
    if (code > 1) {
      wrong.push(`${folder}: exit ${code}: ${stderr}`);
      continue;
    }
    const rows = (JSON.parse(stdout) as Report).expressions;
    expressions += rows.filter((row) => row.expression !== undefined).length;
    measured += rows.filter((row) => row.expression !== undefined && row.measured !== undefined).length;
    if (code === 1 && isTaken(folder) && !EXCEEDS.test(folder))
      wrong.push(`${folder}: taken by the API server, exit 1`);
  }
  expect(wrong).toEqual([]);
  expect(expressions).toBeGreaterThan(200);
  expect(measured).toBeGreaterThan(50);
});
