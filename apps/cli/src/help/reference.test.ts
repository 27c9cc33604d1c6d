import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { referencePage } from "./reference.ts";

test("docs/reference/command.md is up to date", async () => {
  const commands = await Promise.all(verbs.map(async (verb) => (await verb.load()).command));
  const page = readFileSync(new URL("../../../../docs/reference/command.md", import.meta.url), "utf8");
  expect(page, "run `npm run docs`").toBe(referencePage(commands));
});
