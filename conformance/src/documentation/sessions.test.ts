// Command lines on pages run in a shell and print the output on the page. UPDATE_GOLDENS=1 writes the output into the pages.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Page, pages, ROOT } from "./pages.ts";
import { isShown, missingPrograms, runSession, type Step } from "./session.ts";

const withSessions = pages.filter(({ blocks }) => blocks.some(({ language }) => language === "console"));
const isRunnable = (page: Page): boolean => missingPrograms(page).length === 0;

test.for(withSessions.filter((page) => !isRunnable(page)))("$path", (page, { skip }) => {
  skip(`not installed: ${missingPrograms(page).join(", ")}`);
});

test.concurrent.for(withSessions.filter(isRunnable))("$path", { timeout: 120_000 }, async (page, { expect }) => {
  const ran = await runSession(page);
  const other = ran.filter(({ step, printed }) => !isShown(step.output, printed));
  if ((process.env.UPDATE_GOLDENS ?? "") !== "") return update(page, other);
  for (const { step, printed } of other) expect.soft(printed, `${page.path}:${step.line}`).toBe(step.output);
});

function update({ path, text }: Page, steps: readonly { step: Step; printed: string }[]): void {
  const lines = text.split("\n");
  for (const { step, printed } of steps.toReversed()) {
    lines.splice(step.line - 1, step.lines, ...printed.split("\n").slice(0, -1));
  }
  if (steps.length > 0) writeFileSync(join(ROOT, path), lines.join("\n"));
}

// biome-ignore format: one case per line
const shown: [output: string, printed: string, is: boolean][] = [
  ["a\nb\n",    "a\nb\n",       true],
  ["a\n",       "a\nb\n",       false],
  ["a\n…\n",    "a\nb\nc\n",    true],
  ["a\n…\n",    "a\n",          true],
  ["…\nc\n",    "a\nb\nc\n",    true],
  ["a … c\n",   "a (b) c\n",    true],
  ["a … c\n",   "a b\nc\n",     false],
  ["a.c\n",     "abc\n",        false],
  ["",          "a\n",          false],
];

test.each(shown)("%j shows %j: %j", (output, printed, is) => expect(isShown(output, printed)).toBe(is));
