// `check` over real-world policies: every verdict their authors state, and every text a kube-apiserver answered with. If the server refused
// a policy, `check` refuses it with the same words, and continues without it.
//
// Left open, as in the corpus: objects that could not be replayed, and answers of a server that had not got the params yet. An object that
// the validation of its kind refused says nothing about the policies; its answer is compared with the recording too.

import { describe, expect, test } from "vitest";
import {
  type Answered,
  answersIn,
  answersOf,
  type CorpusCase,
  casesOf,
  type Expected,
  everyNth,
  hasCorpus,
  linesOf,
  type Recorded,
} from "./corpus.testing.ts";
import { folder, installed } from "./run.testing.ts";

/** The version whose server gave the recorded answers. */
const RECORDED_WITH = ["--kube-version", "1.36"];

const cases = casesOf("policies");
type Entry = CorpusCase["objects"][number];

describe.skipIf(!hasCorpus)("policies of the corpus", () => {
  test.each(everyNth(cases, 3))("$name", async (corpusCase) => {
    const wrong: Record<string, unknown> = {};
    for (const asServer of [true, false]) {
      const objects = corpusCase.objects.filter(
        (entry) => isTold(corpusCase, entry, asServer) || (asServer && isRecorded(corpusCase, entry)),
      );
      const validation = asServer ? ["--field-validation", "Warn"] : ["--field-validation", "Ignore", "--no-defaults"];
      const flags = [...validation, ...RECORDED_WITH];
      for (const line of linesOf(corpusCase, objects, flags)) {
        const answers = await answersOf(line);
        Object.assign(wrong, setUpDifferences(corpusCase, answers));
        for (const entry of objects.filter(({ file }) => line.objects.includes(file))) {
          const answer = answers.get(entry.file);
          if (answer === undefined) wrong[entry.file] = "no answer";
          else if (isTold(corpusCase, entry, asServer)) Object.assign(wrong, toldDifferences(entry, answer));
          if (answer !== undefined && asServer && isRecorded(corpusCase, entry)) {
            Object.assign(wrong, recordedDifferences(entry, answer));
          }
        }
      }
    }
    expect(wrong).toEqual({});
  });

  // Every twenty-fifth as a process of its own, for what lies between the verb and the terminal.
  const sample = cases.filter((_, i) => i % 25 === 12);
  test.each(sample)("$name, as a process", async (corpusCase) => {
    const objects = corpusCase.objects.filter(
      (entry) => isTold(corpusCase, entry, true) || isRecorded(corpusCase, entry),
    );
    for (const line of linesOf(corpusCase, objects, ["--field-validation", "Warn", ...RECORDED_WITH]).slice(0, 1)) {
      const { code, stdout, stderr } = await installed(line.argv, { cwd: folder(line.files) });
      const answers = answersIn(stdout);
      expect({ code, stderr }).toEqual({
        code: [...answers.values()].some(({ allowed }) => !allowed) ? 1 : 0,
        stderr: "",
      });
      expect(answers).toEqual(await answersOf(line));
    }
  });
});

/** Whether the authors of a policy in force state an expectation. Tools that only read files see objects without the server's defaults. */
function isTold({ recorded }: CorpusCase, { expected, recorded: answer }: Entry, asServer: boolean): boolean {
  if (asServer && answer?.by === "schema") return false;
  const { allowed, verdictFrom = "", dependsOnServerDefaults = false } = expected;
  const inForce = (recorded.setup ?? []).every(
    (setUpAnswer) => setUpAnswer.code < 300 || (setUpAnswer.policy ?? setUpAnswer.binding) === undefined,
  );
  const byServer = dependsOnServerDefaults || (verdictFrom !== "kyverno-cli" && verdictFrom !== "gator");
  return typeof allowed === "boolean" && inForce && byServer === asServer;
}

function isRecorded({ hasParams }: CorpusCase, { recorded }: Entry): boolean {
  const isReplayed = recorded?.by === "ok" || recorded?.by === "policy" || recorded?.by === "schema";
  if (!isReplayed && recorded?.code !== 400) return false;
  return !(hasParams && (recorded.message ?? "").includes("no params found"));
}

/** Texts in the authors' own tests are parts of the answers. */
function toldDifferences({ file, expected }: Entry, answer: Answered): Record<string, unknown> {
  const { status, warnings, auditAnnotations } = answer;
  const annotations = Object.entries(expected.auditAnnotations ?? {});
  const said: readonly [what: keyof Expected, holds: boolean, got: unknown][] = [
    ["allowed", answer.allowed === expected.allowed, status?.message ?? "allowed"],
    ["operation", answer.operation === expected.operation, answer.operation],
    ["subresource", answer.subresource === expected.subresource, answer.subresource],
    ["reason", expected.reason === undefined || status?.reason === expected.reason, status?.reason],
    ["error", [expected.error ?? ""].flat().every((text) => (status?.message ?? "").includes(text)), status?.message],
    ["warning", expected.warning === undefined || warnings.includes(expected.warning), warnings],
    ["auditAnnotations", annotations.every(([key, value]) => auditAnnotations[key] === value), auditAnnotations],
  ];
  return Object.fromEntries(said.filter(([, holds]) => !holds).map(([what, , got]) => [`${file} ${what}`, got]));
}

function recordedDifferences({ file, recorded }: Entry, answer: Answered): Record<string, unknown> {
  const { message, reason, code = recorded?.code, details } = answer.status ?? {};
  const got = { message, reason, code, causes: causesOf(details?.causes), warnings: warningsOf(answer.warnings) };
  const want = {
    message: recorded?.message,
    reason: recorded?.reason,
    code: recorded?.code,
    causes: causesOf(recorded?.causes),
    warnings: warningsOf(recorded?.warnings),
  };
  return JSON.stringify(got) === JSON.stringify(want) ? {} : { [`${file} recorded`]: { want, got } };
}

function causesOf(causes: Recorded["causes"] = []): unknown[] {
  return causes.map(({ reason, field, message }) => ({ reason, field, message }));
}

/** The recording lost the quotes of warnings. */
function warningsOf(warnings: readonly string[] = []): string[] {
  return warnings.map((text) => text.replace(/["\\]/g, ""));
}

/** Compares the server's answers to policies and bindings. */
function setUpDifferences({ recorded }: CorpusCase, answers: ReadonlyMap<string, Answered>): Record<string, unknown> {
  const found = [...answers.values()].map((answer) => [`${answer.object.kind} ${answer.object.name}`, answer] as const);
  const byName = new Map(found.filter(([, { file }]) => file === "policy.yaml" || file === "binding.yaml"));
  const wrong: Record<string, unknown> = {};
  for (const { policy, binding, code, message } of recorded.setup ?? []) {
    if ((policy ?? binding) === undefined) continue;
    const kind = `ValidatingAdmissionPolicy${policy === undefined ? "Binding" : ""}`;
    const answer = byName.get(`${kind} ${policy ?? binding}`);
    const want = code < 300 ? undefined : message;
    if (answer !== undefined && answer.status?.message !== want) wrong[`${kind} ${policy ?? binding}`] = answer.status;
  }
  return wrong;
}
