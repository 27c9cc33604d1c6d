// `celadon prove`: answers for all objects, with an object that shows it or the assumptions of a proof.

import { type AskedQuestion, askAll, DEFAULT_LIMITS } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import { loadInputs, pathsOf, printNotes } from "../inputs/inputs.ts";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { BUILT, FILES, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { answersReport } from "../prove/answers-report.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
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
  const asked: AskedQuestion[] = [];
  const options = { limits: { ...DEFAULT_LIMITS, time }, signal: io.signal };
  for await (const item of askAll(simulated, options)) asked.push(item);
  const report = answersReport(asked, args.on("all"));
  const isAnswered = asked.some(({ answer }) => answer.is !== "unknown");
  const answer = isAnswered ? report : withNothingJudged(report, { message: "no question could be answered" });
  const judged = rejected.length > 0 ? { ...answer, exit: EXIT.failed } : answer;
  return await writeAnswer(withUnread(judged, issues), args, io);
}
