// `npm run demo` shows what the README says it shows.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

test("the README shows the demonstration's own output", () => {
  const shown = /```text\n([\s\S]*?)\n```/.exec(readFileSync(new URL("README.md", root), "utf8"))?.[1];
  const printed = execFileSync(process.execPath, [fileURLToPath(new URL("examples/demo.mjs", root))], {
    encoding: "utf8",
  });
  expect(printed.trim().startsWith(`${shown}\n`)).toBe(true);
});
