// docs/reference/output.md describes exactly the fields of every document.

import { expect, test } from "vitest";
import { verbs } from "../../../apps/cli/src/commands/index.ts";
import { fieldsOf, pathsIn, sectionsOf, seenOf, untoldIn } from "./output-fields.ts";
import { readPage } from "./pages.ts";
import { documentsOf, KINDS } from "./reports.ts";

const page = readPage("docs/reference/output.md");
const sections = sectionsOf(page);
const seen = new Set<string>();

test.each(KINDS)("%s", { timeout: 120_000 }, async (kind) => {
  const documents = await documentsOf(kind);
  for (const document of documents) expect(document).toMatchObject({ apiVersion: "celadon.dev/v1", kind });
  const came = new Set(documents.flatMap((document) => pathsIn(document)));
  const fields = [{ path: "apiVersion", told: "" }, { path: "kind", told: "" }, ...fieldsOf(sections, kind)];
  for (const { told } of seenOf(fields, came)) seen.add(told);
  expect(untoldIn(fields, came), "came, and is not on the page").toEqual([]);
});

test("every documented field occurs in some document", () => {
  const told = [...sections].flatMap(([title, paths]) => paths.map((path) => `${title}: ${path.split("#")[0]}`));
  expect(told.filter((text) => !seen.has(text))).toEqual([]);
});

test("every command with a document has a documented kind", async () => {
  const commands = await Promise.all(verbs.map(async (verb) => (await verb.load()).command));
  const answering = commands.filter(({ plain }) => plain !== true).map(({ name }) => name);
  expect(answering.filter((name) => !page.text.includes(`\`celadon ${name}`))).toEqual([]);
  expect([...sections.keys()].filter((title) => KINDS.includes(title)).sort()).toEqual([...KINDS].sort());
});
