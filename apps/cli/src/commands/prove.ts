// `celadon prove`: answers for all objects, with an object that shows it or the assumptions of a proof.

import { DEFAULT_LIMITS } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import { loadInputs, pathsOf, printNotes } from "../inputs/inputs.ts";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { FILES, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import { frame } from "../output/frame.ts";
import type { Paint } from "../output/paint.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { type AnsweredQuestion, askPolicies } from "../prove/ask-policies.ts";
import { exampleCase, exampleYaml } from "../prove/example-yaml.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...READING,
  { name: "time", value: "MS", help: "milliseconds for one question; beyond, the answer is unknown", fallback: String(DEFAULT_LIMITS.time) },
  { name: "all", help: "print every answer, not only problems" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "prove",
  summary: "find what policies do for all objects: errors, rules that always or never hold",
  failure: "an answer is a problem, or a policy was rejected",
  usage: "[-f] PATH… [flags]",
  about: `Answers questions about every object that an API server would accept, not only about those in a test: can a validation fail to
evaluate, does it always hold, does it never hold, do the validations of a policy contradict each other. An answer is proved, or comes
with an object that shows it and that was checked like any other request, or is unknown together with the expression it depends on.
The exit code is 1 if an answer is a problem, or if an API server would reject a policy.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "ask about the policies of a directory", line: "celadon prove -f policies/" },
    { what: "print proofs and their assumptions too", line: "celadon prove -f policies/ --all" },
    { what: "annotate a pull request", line: "celadon prove -f policies/ -o github" },
  ],
  run: prove,
});

async function prove(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const time = args.number("time", { min: 1, max: 3_600_000 }) ?? DEFAULT_LIMITS.time;
  const { manifests, issues } = await loadInputs(pathsOf(args), "prove", args, io);
  const simulated = SimulatedCluster.of(manifests);
  const rejected = neverAccepted(simulated, manifests);
  printNotes(notInForceNotes(rejected), args, io);
  if (simulated.manifests("policy").length === 0)
    throw new UsageError(
      "no ValidatingAdmissionPolicies in the inputs",
      "name them with -f: celadon prove -f policies/",
    );
  const asked: AnsweredQuestion[] = [];
  for await (const item of askPolicies(simulated, { limits: { ...DEFAULT_LIMITS, time } }, io.signal)) asked.push(item);
  const report = answerOf(asked, args.on("all"));
  const isAnswered = asked.some(({ answer }) => answer.is !== "unknown");
  const answer = isAnswered ? report : withNothingJudged(report, { message: "no question could be answered" });
  const judged = rejected.length > 0 ? { ...answer, exit: EXIT.failed } : answer;
  return await writeAnswer(withUnread(judged, issues), args, io);
}

function answerOf(asked: readonly AnsweredQuestion[], all: boolean): CommandReport {
  const problems = asked.filter(({ isProblem }) => isProblem);
  const unknown = asked.filter(({ answer }) => answer.is === "unknown");
  const shown = all ? asked : asked.filter(({ isProblem, answer }) => isProblem || answer.is === "unknown");
  return {
    results: asked.map(resultOf),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "ProofReport",
      answers: asked.map(documentOf),
      summary: {
        proved: asked.length - problems.length - unknown.length,
        problems: problems.length,
        unknown: unknown.length,
      },
    },
    text: (paint) =>
      `${shown.map((item) => blockOf(item, paint)).join("\n")}${shown.length > 0 ? "\n" : ""}${tally(asked, problems.length, unknown.length, paint)}\n`,
    table: {
      columns: ["POLICY", "VALIDATION", "QUESTION", "ANSWER", "SAYS"],
      rows: asked.map(({ policy, index, question, answer, says }) => [
        policy,
        index === undefined ? "" : String(index),
        question,
        answer.is,
        says,
      ]),
    },
    exit: problems.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

function subjectOf({ index, says }: AnsweredQuestion): string {
  return index === undefined ? says : `validations[${index}] ${says}`;
}

function resultOf(item: AnsweredQuestion): ReportRow {
  const { policy, index, question, answer, isProblem, place } = item;
  const test = caseOf(item);
  return {
    group: place?.file ?? policy,
    name: `${policy} · ${index === undefined ? "policy" : `validations[${index}]`} · ${question}`,
    level: isProblem ? "fail" : answer.is === "unknown" ? "skip" : "pass",
    rule: `prove/${question}`,
    message: isProblem || answer.is === "unknown" ? `${subjectOf(item)}${reasonOf(item)}` : "",
    ...(test && { detail: exampleYaml(test) }),
    ...(place && { place }),
    policy,
    system: "policy",
  };
}

/** The error of a counterexample, or the expressions that an unknown answer depends on. */
function reasonOf({ answer, question }: AnsweredQuestion): string {
  if (answer.is === "unknown") return `; not known because of: ${answer.because.join("; ")}`;
  const message =
    answer.is === "counterexample" && question === "never-errors" ? answer.counterexample.message : undefined;
  return message === undefined ? "" : `: ${message.replace(/^expression '.*' resulted in error: /s, "")}`;
}

function caseOf(item: AnsweredQuestion): object | undefined {
  const { policy, question, answer } = item;
  if (answer.is !== "counterexample") return undefined;
  const expect = question === "never-errors" ? "error" : question === "always" ? "deny" : "allow";
  return exampleCase(policy, `${policy}: ${subjectOf(item)}`, answer.counterexample, expect);
}

function documentOf(item: AnsweredQuestion): object {
  const { policy, index, question, answer, says, isProblem, place } = item;
  return {
    policy,
    ...(index !== undefined && { validation: index }),
    question,
    says,
    isProblem,
    reachesNothing: answer.is === "proved" && answer.reachesNothing === true,
    ...answer,
    ...(place && { place }),
  };
}

function blockOf(item: AnsweredQuestion, paint: Paint): string {
  const { answer, isProblem, place, manifest } = item;
  const title = `${subjectOf(item)}${reasonOf(item)}`;
  const painted = isProblem ? paint.red(title) : title;
  const head =
    place === undefined || !isProblem
      ? `${place === undefined ? "" : `${place.file}:${place.line}:${place.column}: `}${painted}\n`
      : frame({ ...place, message: title, text: (line) => manifest.origin?.lineText(line), paint });
  const test = isProblem ? caseOf(item) : undefined;
  const example = test === undefined ? "" : indent(exampleYaml(test));
  const assumptions =
    answer.is === "proved"
      ? answer.assumptions.map((text) => `  assuming: ${text}\n`.replace("assuming: for ", "for "))
      : [];
  return `${head}${assumptions.join("")}${example}`;
}

function tally(asked: readonly AnsweredQuestion[], problems: number, unknown: number, paint: Paint): string {
  const text = `${asked.length} questions: ${asked.length - unknown} answered, ${unknown} unknown, ${problems} ${problems === 1 ? "problem" : "problems"}`;
  return problems > 0 ? paint.red(text) : paint.green(text);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
