// `npm start` and `npm run demo` show the output in the README.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundle } from "../../apps/cli/src/e2e/run.testing.ts";

const root = new URL("../../", import.meta.url);
const shown = /```text\n([\s\S]*?)\n```/.exec(readFileSync(new URL("README.md", root), "utf8"))?.[1] ?? "";

function printed(script: string, ...args: string[]): string {
  const path = fileURLToPath(new URL(`examples/${script}`, root));
  // Its log goes to standard error.
  return execFileSync(process.execPath, [path, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The port may be taken, and machines differ. */
const comparable = (text: string): string => text.replace(/:\d+, ready after [\d.]+ s/, ":PORT, ready after N s");

test("the README shows what `npm start` prints, which ends on a signal", async () => {
  await bundle();
  const text = printed("serve.mjs", "--stop");
  expect(comparable(text).startsWith(`${comparable(shown)}\n`), text).toBe(true);
  expect(text).toContain("export KUBECONFIG=");
  expect(text).toContain("curl --cacert ");
});

test("the README shows what `npm run demo` prints", () => {
  const explanation = shown.slice(shown.indexOf("$ celadon explain"));
  expect(printed("demo.mjs").trim().startsWith(`${explanation}\n`)).toBe(true);
});
