// Real-world policies with their objects: a set beside itself changes nothing, and a set without its bindings changes exactly the denials
// and reports. Definitions beside themselves break nothing. Skipped where the corpus is not there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CORPUS, corpusCaseNames, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { runLine } from "../io.testing.ts";

function casesOf(part: "policies" | "crds"): string[] {
  return corpusCaseNames(part).map((name) => join(CORPUS, part, name));
}

/** `set/` and `bare/` hold the case's own resources, the latter without bindings; `objects/` its objects. */
function filesOf(folder: string): Record<string, Uint8Array> {
  const own = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  const objects = join(folder, "objects");
  const read = (to: string, from: string): [string, Uint8Array] => [to, readFileSync(join(folder, from))];
  return Object.fromEntries([
    ...own.map((name) => read(`set/${name}`, name)),
    ...own.filter((name) => name !== "binding.yaml").map((name) => read(`bare/${name}`, name)),
    ...(existsSync(objects) ? readdirSync(objects) : []).map((name) => read(`objects/${name}`, `objects/${name}`)),
  ]);
}

interface Checked {
  readonly objects: readonly {
    readonly file: string;
    readonly allowed: boolean;
    readonly policies: readonly string[];
  }[];
}
interface Diffed {
  readonly changes: readonly { readonly file: string; readonly change: string }[];
}

async function json<T>(argv: readonly string[], files: Record<string, Uint8Array>): Promise<T> {
  const { code, stdout, stderr } = await runLine([...argv, "-o", "json", "-q"], { files });
  if (code > 1) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

const policies = everyNth(casesOf("policies"), 6);

test.skipIf(!hasCorpus)("policies of the corpus", { timeout: 300_000 }, async () => {
  const wrong: string[] = [];
  let dropped = 0;
  for (const folder of policies) {
    const files = filesOf(folder);
    if (!Object.keys(files).some((name) => name.startsWith("objects/"))) continue;
    const same = await json<Diffed>(["diff", "set", "set", "-f", "objects"], files);
    if (same.changes.length > 0) wrong.push(`${folder}: ${same.changes.length} changes beside itself`);
    const checked = await json<Checked>(["check", "-f", "set", "-f", "objects", "--field-validation", "Warn"], files);
    const bare = await json<Checked>(["check", "-f", "bare", "-f", "objects", "--field-validation", "Warn"], files);
    const allowed = new Set(bare.objects.filter((object) => object.allowed).map(({ file }) => file));
    const denied = checked.objects
      .filter((object) => !object.allowed && allowed.has(object.file))
      .map(({ file }) => file);
    const { changes } = await json<Diffed>(["diff", "set", "bare", "-f", "objects"], files);
    const loosened = changes.filter(({ change }) => change === "allowed").map(({ file }) => file);
    if (loosened.sort().join() !== denied.sort().join()) wrong.push(`${folder}: ${loosened} and not ${denied}`);
    if (changes.some(({ change }) => change === "denied")) wrong.push(`${folder}: denied without a binding`);
    dropped += loosened.length;
  }
  expect(wrong).toEqual([]);
  expect(dropped).toBeGreaterThan(20);
});

const definitions = everyNth(casesOf("crds"), 4);

test.skipIf(!hasCorpus)("definitions of the corpus", { timeout: 300_000 }, async () => {
  const wrong: string[] = [];
  for (const folder of definitions) {
    const { stdout, code, stderr } = await runLine(["crd", "upgrade", "set/crd.yaml", "set/crd.yaml", "-o", "json"], {
      files: filesOf(folder),
    });
    if (code > 1) wrong.push(`${folder}: exit ${code}: ${stderr}`);
    else if (!/"change": "same"/.test(stdout) || /"change": "(?!same)/.test(stdout))
      wrong.push(`${folder}: not as before`);
  }
  expect(wrong).toEqual([]);
});
