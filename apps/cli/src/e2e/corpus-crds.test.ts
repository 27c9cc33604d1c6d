// `check` over public CustomResourceDefinitions and objects of theirs: accepted or refused as the authors say, and with the causes a
// kube-apiserver gave. The order of several causes is not compared, because the server takes them from maps.

import { describe, expect, test } from "vitest";
import {
  type Answered,
  answersIn,
  answersOf,
  type CorpusCase,
  casesOf,
  everyNth,
  hasCorpus,
  linesOf,
  type Recorded,
} from "./corpus.testing.ts";
import { folder, installed } from "./run.testing.ts";

const cases = casesOf("crds");
type Entry = CorpusCase["objects"][number];
/** The flags of a client that does not ask for strictness, with which the answers were recorded. */
const FLAGS = ["--field-validation", "Warn"];

describe.skipIf(!hasCorpus)("definitions of the corpus", () => {
  test.each(everyNth(cases, 3))("$name", async (corpusCase) => {
    const wrong: Record<string, unknown> = {};
    const objects = corpusCase.objects.filter((entry) => isTold(entry) || isRecorded(entry));
    let definitions: ReadonlyMap<string, Answered> | undefined;
    for (const line of linesOf(corpusCase, objects, FLAGS)) {
      const answers = await answersOf(line);
      definitions ??= answers;
      for (const entry of objects.filter(({ file }) => line.objects.includes(file))) {
        const answer = answers.get(entry.file);
        if (answer === undefined) wrong[entry.file] = "no answer";
        else Object.assign(wrong, differences(entry, answer));
      }
    }
    Object.assign(wrong, definitionDifferences(corpusCase, definitions ?? new Map()));
    expect(wrong).toEqual({});
  });

  const sample = cases.filter((_, i) => i % 25 === 12);
  test.each(sample)("$name, as a process", async (corpusCase) => {
    const objects = corpusCase.objects.filter((entry) => isTold(entry) || isRecorded(entry));
    for (const line of linesOf(corpusCase, objects, FLAGS).slice(0, 1)) {
      const { stdout, stderr } = await installed(line.argv, { cwd: folder(line.files) });
      expect(stderr).toBe("");
      expect(answersIn(stdout)).toEqual(await answersOf(line));
    }
  });
});

const isTold = ({ expected }: Entry): boolean => typeof expected.valid === "boolean";
const isRecorded = ({ recorded }: Entry): boolean => recorded !== undefined && recorded.by !== "other";

function differences(entry: Entry, answer: Answered): Record<string, unknown> {
  const { file, expected, recorded } = entry;
  const wrong: Record<string, unknown> = {};
  if (isTold(entry) && answer.allowed !== expected.valid) wrong[`${file} valid`] = answer.status ?? "allowed";
  if (isTold(entry) && expected.valid === false && typeof expected.cause === "string") {
    // Rules are run when the schema holds as far as they need it; a rule that failed is named, in its system.
    const systems = new Set(answer.problems.filter(({ level }) => level === "deny").map(({ system }) => system));
    if (!systems.has(expected.cause === "cel" ? "rules" : "schema")) wrong[`${file} cause`] = answer.problems;
  }
  if (recorded === undefined || !isRecorded(entry)) return wrong;
  const { reason, code = recorded.code, details, message } = answer.status ?? {};
  const got = { code, reason, causes: causeTexts(details?.causes) };
  const want = { code: recorded.code, reason: recorded.reason, causes: causeTexts(recorded.causes) };
  if (JSON.stringify(got) !== JSON.stringify(want)) wrong[`${file} recorded`] = { want, got };
  else if (want.causes.length < 2 && clean(message) !== clean(recorded.message)) wrong[`${file} message`] = message;
  return wrong;
}

/** Compares the server's answers to the definitions themselves. */
function definitionDifferences(
  corpusCase: CorpusCase,
  answers: ReadonlyMap<string, Answered>,
): Record<string, unknown> {
  const byName = new Map([...answers.values()].map((answer) => [answer.object.name, answer]));
  const wrong: Record<string, unknown> = {};
  for (const { name, code, causes } of corpusCase.recorded.crds ?? []) {
    const answer = byName.get(name);
    const got = { ok: answer?.allowed, causes: causeTexts(answer?.status?.details?.causes) };
    const want = { ok: code < 300, causes: causeTexts(causes) };
    if (JSON.stringify(got) !== JSON.stringify(want)) wrong[name] = { want, got };
  }
  return wrong;
}

function causeTexts(causes: Recorded["causes"] = []): string[] {
  const texts = causes.map(({ field, reason, message }) => clean(`${field} | ${reason} | ${message}`));
  return [...new Set(texts)].sort();
}

/** The reference numbers types of rules by a counter of its process. */
const clean = (text: string = ""): string => text.replace(/selfType\d+/g, "selfType");
