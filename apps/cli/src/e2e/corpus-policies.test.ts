// `check` over real-world policies: every verdict their authors state, and every text a kube-apiserver answered with. Where the
// server refused a policy, so does `check`, with the same words, and goes on without it.
//
// Left open, as in the corpus: objects the server refused by the validation of a built-in kind (`check` knows shapes and defaults of
// these, not their validation), those that could not be replayed, and answers of a server that had not got the params yet. The
// warnings of built-in kinds about their own fields ("deprecated since…") are not given either.

import { describe, expect, test } from "vitest";
import {
  type Answered,
  answersIn,
  answersOf,
  CORPUS,
  type CorpusCase,
  casesOf,
  type Expected,
  linesOf,
  type Recorded,
} from "./corpus.testing.ts";
import { celadon, folder } from "./run.testing.ts";

const cases = casesOf("policies");
type Entry = CorpusCase["objects"][number];

describe.skipIf(cases.length === 0)("policies of the corpus", () => {
  test.each(cases)("$name", async (one) => {
    const wrong: Record<string, unknown> = {};
    for (const asServer of [true, false]) {
      const objects = one.objects.filter((entry) => isTold(one, entry, asServer) || (asServer && isRecorded(entry)));
      const flags = asServer ? ["--field-validation", "Warn"] : ["--field-validation", "Ignore", "--no-defaults"];
      for (const line of linesOf(one, objects, flags)) {
        const answers = await answersOf(line);
        Object.assign(wrong, setUpDifferences(one, answers));
        for (const entry of objects.filter(({ file }) => line.objects.includes(file))) {
          const answer = answers.get(entry.file);
          if (answer === undefined) wrong[entry.file] = "no answer";
          else if (isTold(one, entry, asServer)) Object.assign(wrong, toldDifferences(entry, answer));
          if (answer !== undefined && asServer && isRecorded(entry)) {
            Object.assign(wrong, recordedDifferences(entry, answer));
          }
        }
      }
    }
    expect(wrong).toEqual({});
  });

  // Every twenty-fifth as a process of its own, for what lies between the verb and the terminal.
  const sample = cases.filter((_, i) => i % 25 === 12);
  test.each(sample)("$name, as a process", async (one) => {
    const objects = one.objects.filter((entry) => isTold(one, entry, true) || isRecorded(entry));
    for (const line of linesOf(one, objects, ["--field-validation", "Warn"]).slice(0, 1)) {
      const { code, stdout, stderr } = await celadon(line.argv, { cwd: folder(line.files) });
      const answers = answersIn(stdout);
      expect({ code, stderr }).toEqual({
        code: [...answers.values()].some(({ allowed }) => !allowed) ? 1 : 0,
        stderr: "",
      });
      expect(answers).toEqual(await answersOf(line));
    }
  });
});

test.runIf(cases.length === 0)(`no corpus at ${CORPUS}: check was not tried on its policies`, () => {});

/** What the authors say, of policies in force. Tools that only read files see objects without the server's defaults. */
function isTold({ recorded }: CorpusCase, { expected }: Entry, asServer: boolean): boolean {
  const { allowed, verdictFrom = "", dependsOnServerDefaults = false } = expected;
  const inForce = (recorded.setup ?? []).every((one) => one.code < 300 || (one.policy ?? one.binding) === undefined);
  const byServer = dependsOnServerDefaults || (verdictFrom !== "kyverno-cli" && verdictFrom !== "gator");
  return typeof allowed === "boolean" && inForce && byServer === asServer;
}

function isRecorded({ recorded }: Entry): boolean {
  if (recorded?.by !== "ok" && recorded?.by !== "policy") return false;
  return !(recorded.message ?? "").includes("no params found");
}

/** Texts the authors state are parts of what is answered. */
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
  const got = { message, reason, code, causes: messagesOf(details?.causes), warnings: warningsOf(answer.warnings) };
  const want = {
    message: recorded?.message,
    reason: recorded?.reason,
    code: recorded?.code,
    causes: messagesOf(recorded?.causes),
    warnings: warningsOf(recorded?.warnings),
  };
  return JSON.stringify(got) === JSON.stringify(want) ? {} : { [`${file} recorded`]: { want, got } };
}

const messagesOf = (causes: Recorded["causes"] = []): unknown[] => causes.map(({ message }) => message);

/** Those of policies, and of fields no schema knows. The recording lost the quotes of warnings. */
function warningsOf(warnings: readonly string[] = []): string[] {
  return warnings
    .map((text) => text.replace(/["\\]/g, ""))
    .filter((text) => text.startsWith("Validation failed for ") || text.startsWith("unknown field "))
    .sort();
}

/** How the server took policies and bindings. */
function setUpDifferences({ recorded }: CorpusCase, answers: ReadonlyMap<string, Answered>): Record<string, unknown> {
  const found = [...answers.values()].map((one) => [`${one.object.kind} ${one.object.name}`, one] as const);
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
