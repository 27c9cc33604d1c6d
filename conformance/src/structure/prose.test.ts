// Comments, titles of tests and texts for users are plain sentences: subject and verb, no riddles. A clause in the place of a noun has
// to be read twice.

import { expect, test } from "vitest";
import { commentSentences, literals, type Prose, titles, writtenFiles } from "./prose.ts";

/** Each with what to write instead. */
const RIDDLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:What|Who|Whose|Whom|Whatever|Whoever|How)\b(?!.*\?)/, "begin with a noun or a verb"],
  [/^Of (?!course)|^That (?:it|they|the|no|there|an?|every)\b|^Which\b/, "begin with a noun or a verb"],
  [/\bthat there (?:is|are|was|were)\b(?! no\b)/, "existing, present"],
  [/\b(?:is|are) there(?:[.,;:]|$)/, "exists, is present"],
  [
    /\bwhat (?:it|they(?! seem)|is|are|was|were|there|has|have|had|comes?|came|others?|nobody|somebody|no|one)\b/,
    "a noun",
  ],
  [/\bwhat (?:an?|the) \w+ (?:is|are|was|were|has|says?|said|made|makes)\b/, "a noun"],
  [/\b(?:is|are|was|were) told\b|\bsaid against\b|\bsays? nothing of\b/, "is reported, problems"],
  [/\bof whom\b|\bthe ones? (?:that|which) (?:is|are)\b/, "a noun"],
];

/** A longer sentence of a comment is two. */
const MOST_WORDS = 45;

function riddles(found: readonly Prose[]): string[] {
  return found.flatMap(({ place, text }) =>
    RIDDLES.flatMap(([pattern, instead]) => {
      const match = pattern.exec(text);
      return match === null ? [] : [`${place}: "${match[0]}" in "${text}": write ${instead}`];
    }),
  );
}

function longOnes(found: readonly Prose[]): string[] {
  const lengths = found.map(({ place, text }) => ({ place, words: text.split(/\s+/).length }));
  return lengths
    .filter(({ words }) => words > MOST_WORDS)
    .map(({ place, words }) => `${place}: a sentence of ${words} words`);
}

const FILES = writtenFiles();
const isTest = (file: string): boolean => /\.(?:test|testing)\.ts$/.test(file);

test("comments", () => {
  expect(FILES.length).toBeGreaterThan(2_000);
  const found = FILES.flatMap(commentSentences);
  expect(riddles(found)).toEqual([]);
  expect(longOnes(found)).toEqual([]);
});

test("titles of tests", () => {
  const found = FILES.filter((file) => file.endsWith(".test.ts")).flatMap(titles);
  expect(found.length).toBeGreaterThan(1_000);
  expect(riddles(found)).toEqual([]);
});

/** Packages whose texts are our own words; the others print those of kube-apiserver, cel-go and approver-policy. */
const OWN_WORDS =
  /^(?:apps\/(?:cli|playground|vscode)|packages\/(?:lint|testing|language|simulator|prove|client|cluster))\/src\//;

test("texts for users", () => {
  const found = FILES.filter((file) => OWN_WORDS.test(file) && !isTest(file)).flatMap(literals);
  expect(found.length).toBeGreaterThan(1_000);
  expect(riddles(found)).toEqual([]);
});
