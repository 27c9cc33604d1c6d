import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LINT_CODES } from "./codes.ts";

const PAGE = new URL("../../../docs/reference/lint.md", import.meta.url);

test("the page lists the codes as they are", () => {
  const table = [...LINT_CODES].map(
    ([code, { level, text, fix }]) =>
      `| <a id="${code}"></a>\`${code}\` | ${level} | ${text} | ${fix.replaceAll("|", "\\|")} |`,
  );
  expect(readFileSync(PAGE, "utf8")).toContain(`\n${table.join("\n")}\n\n`);
});
