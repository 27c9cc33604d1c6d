import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LINT_CODES } from "./codes.ts";

const PAGE = new URL("../../../docs/reference/lint.md", import.meta.url);

test("the page lists the codes as they are", () => {
  const rows = [...readFileSync(PAGE, "utf8").matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| .+ \|$/gm)];
  const listed = rows.map(([, code, level, text]) => [code, level, text]);
  expect(listed).toEqual([...LINT_CODES].map(([code, { level, text }]) => [code, level, text]));
});
