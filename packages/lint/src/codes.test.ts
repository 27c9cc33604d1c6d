import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MINOR_CAUSES, UNCOUNTED_CHECKS } from "./checks/minor-causes.ts";
import { LINT_CODES } from "./codes.ts";

const PAGE = new URL("../../../docs/reference/lint.md", import.meta.url);

test("the page lists the codes as they are", () => {
  const table = [...LINT_CODES].map(
    ([code, { level, text, fix }]) =>
      `| <a id="${code}"></a>\`${code}\` | ${level} | ${text} | ${fix.replaceAll("|", "\\|")} |`,
  );
  expect(readFileSync(PAGE, "utf8")).toContain(`\n${table.join("\n")}\n\n`);
});

test("the page lists what older versions answer otherwise", () => {
  const rows = [...MINOR_CAUSES, UNCOUNTED_CHECKS].map(({ expression, since, until, there, help }) => {
    const when = since === undefined ? `up to ${until}` : since === until ? until : `${since} to ${until}`;
    return `| ${expression} | ${when} | ${there} | ${help} |`;
  });
  expect(readFileSync(PAGE, "utf8")).toContain(`\n${rows.join("\n")}\n\n`);
});
