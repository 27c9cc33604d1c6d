// Programs on pages run and have the results on the page; those in TypeScript type check.

// For examples with client-node, which asks for Node 22.
import "../../../packages/apiserver/src/e2e/old-node.testing.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pages, ROOT } from "./pages.ts";
import { runScript } from "./script.ts";

const withScripts = pages
  .map(({ path, blocks }) => ({ path, scripts: blocks.filter(({ language }) => /^[jt]s$/.test(language)) }))
  .filter(({ scripts }) => scripts.length > 0);

describe.each(withScripts)("$path", ({ scripts }) => {
  test.each(scripts)("line $line", async ({ text }) => {
    const claims = await runScript(text);
    expect(claims.length, "an example states what it answers").toBeGreaterThan(0);
    for (const { answer, want } of claims) expect(answer).toEqual(want);
  });
});

test("examples in TypeScript type check", { timeout: 120_000 }, () => {
  const folder = join(ROOT, "node_modules", `.celadon-examples-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, scripts } of withScripts) {
    const name = path.replaceAll("/", "-").replace(/\.md$/, "");
    for (const { language, text, line } of scripts) {
      if (language === "ts") writeFileSync(join(folder, `${name}-line-${line}.ts`), `${text}\nexport {};\n`);
    }
  }
  const config = {
    extends: join(ROOT, "tsconfig.test.json"),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: [join(folder, "*.ts")],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  expect(stdout.split("\n").filter((line) => line.includes(".celadon-examples"))).toEqual([]);
});
