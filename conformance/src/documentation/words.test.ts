// The words of the pages, and of help, which docs/reference/command.md holds: the glossary in CONTRIBUTING.md says what to write instead.

import { expect, test } from "vitest";
import { pages, proseOf, readPage } from "./pages.ts";

/** Each with what to write. Code is not checked: fields and codes keep their names. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|be) told\b/, "see, describes, is reported"],
  [/\bwho asks\b|\bwhoever asks\b/, "the user"],
  [/\bsaid against\b|\bsays? nothing against\b/, "problems"],
  [/\bnothing is said\b|\bwhat is said\b/, "reported"],
  [/\bwhat (?:it|they) came to\b/, "result"],
  [/\bis not there\b|\bare not there\b|\bis there already\b/, "does not exist, already exists"],
  [/\bmends?\b|\bmended\b/, "fixes"],
  [/\bjudge[sd]?\b/, "evaluate, decide"],
  [/\bminors?\b/, "version"],
  [/\b(?:every|each|this|our|the command's) verbs?\b|\bverbs? of the command\b/, "command"],
  [/\bwithout a word\b/, "silently"],
  [/\d %/, "12.5%"],
];

/** The table of words to avoid names them. */
const WORDS = /^## Words$.*/ms;

test.each(pages)("$path", (page) => {
  const prose = proseOf(page)
    .replace(page.path === "CONTRIBUTING.md" ? WORDS : "", "")
    .replaceAll(/`[^`\n]*`/g, "``");
  const found = prose.split("\n").flatMap((line) =>
    AVOIDED.flatMap(([pattern, instead]) => {
      const match = pattern.exec(line);
      return match === null ? [] : [`"${match[0]}" in "${line.trim()}": write ${instead}`];
    }),
  );
  expect(found).toEqual([]);
});

test("the glossary has a word for each avoided one", () => {
  const glossary = WORDS.exec(readPage("CONTRIBUTING.md").text)?.[0] ?? "";
  for (const word of ["command", "version", "accept, reject", "allow, deny", "evaluate", "impersonate", "ratchet"]) {
    expect(glossary).toContain(`| ${word}`);
  }
});
