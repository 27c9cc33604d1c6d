// `celadon prove`: answers for all objects, with an object that shows it or the assumptions of a proof.

import {
  type AskedQuestion,
  askAll,
  compareSets,
  DEFAULT_LIMITS,
  type ProveOptions,
  proveThat,
  statementError,
  suiteCase,
} from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import type { Role } from "@celadon/simulator/manifests";
import { loadInputs, pathsOf, printNotes } from "../inputs/inputs.ts";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { BUILT, FILES, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import type { CommandReport } from "../output/answer.ts";
import { remark } from "../output/say.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, InputError, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { addToSuite } from "../prove/add-to-suite.ts";
import { answersReport } from "../prove/answers-report.ts";
import { casesOf, comparisonReport } from "../prove/comparison-report.ts";
import { type ProvedStatement, statementCase, statementsReport } from "../prove/statements-report.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  { name: "old", value: "PATH", repeatable: true, help: "policies to compare those in -f with, for all requests", choices: "files" },
  { name: "that", value: "EXPR", repeatable: true, help: "prove that EXPR holds for every request that the policies allow" },
  { name: "assuming", value: "EXPR", help: "answer for requests for which EXPR holds" },
  { name: "add-to", value: "SUITE", help: "add the requests that are shown to this test suite, as cases", choices: "files" },
  { name: "time", value: "MS", help: "milliseconds for one question; beyond, the answer is unknown", fallback: String(DEFAULT_LIMITS.time) },
  { name: "all", help: "print every answer, not only problems" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "prove",
  summary: "find what policies do for all objects: errors, rules that always or never hold",
  failure: "an answer is a problem, sets differ, a statement is not proved, or a policy was rejected",
  usage: "[-f] PATH… [flags]",
  about: `Answers questions about every object that an API server would accept, not only about those in a test: can a validation fail to
evaluate, does it always hold, does it never hold, does it repeat the others, do the validations of a policy contradict each other, does
a binding change anything; the same for match conditions of validating webhooks. An answer is proved, or comes
with an object that shows it and that was checked like any other request, or is unknown together with the expression it depends on.
With --old, the policies in -f are compared with older ones: equivalent, stricter, more permissive or incomparable, with requests that get
another answer. With --that, an expression is proved for everything that the policies allow, or a request is shown for which it does not
hold. The exit code is 1 if an answer is a problem, the sets differ, a statement is not proved, or an API server would reject a policy.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "ask about the policies of a directory", line: "celadon prove -f policies/" },
    { what: "print proofs and their assumptions too", line: "celadon prove -f policies/ --all" },
    { what: "see whether a change denies anything new", line: "celadon prove --old policies/ -f new-policies/" },
    {
      what: "prove that nothing else gets through",
      line: "celadon prove -f policies/ --that 'object.spec.replicas <= 100'",
    },
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
  if (simulated.manifests("policy", "webhooks").length === 0)
    throw new UsageError(
      "no ValidatingAdmissionPolicies or webhook configurations in the inputs",
      "name them with -f: celadon prove -f policies/",
    );
  const assuming = args.text("assuming");
  const options: ProveOptions = {
    limits: { ...DEFAULT_LIMITS, time },
    signal: io.signal,
    ...(assuming !== undefined && { assuming: statement("assuming", assuming) }),
  };
  const { report: answer, cases } = await answered(simulated, options, args, io);
  const suite = args.text("add-to");
  if (suite !== undefined) await addToSuite(suite, cases, io);
  const judged = rejected.length > 0 ? { ...answer, exit: EXIT.failed } : answer;
  return await writeAnswer(withUnread(judged, issues), args, io);
}

async function answered(
  simulated: SimulatedCluster,
  options: ProveOptions,
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
): Promise<{ readonly report: CommandReport; readonly cases: readonly object[] }> {
  const [old, that] = [args.list("old"), args.list("that")];
  if (old.length > 0 && that.length > 0)
    throw new UsageError("--that is about one set of policies", "leave out --old, or ask about each set by itself");
  if (old.length > 0) {
    const before = await loadInputs(old, "prove", args, io);
    if (before.issues.length > 0) throw new InputError(before.issues);
    const older = SimulatedCluster.of(before.manifests);
    const has = (...roles: readonly Role[]): boolean =>
      [older, simulated].some((set) => set.manifests(...roles).length > 0);
    if (!has("policy"))
      throw new UsageError("no ValidatingAdmissionPolicies to compare", "webhooks are asked about without --old");
    if (has("webhooks") && !args.on("quiet")) remark(io, "webhooks are not compared, only policies");
    const comparison = await compareSets(older, simulated, options);
    return { report: comparisonReport(comparison), cases: casesOf(comparison) };
  }
  if (that.length > 0) {
    if (simulated.manifests("policy").length === 0)
      throw new UsageError("--that is about what policies allow, and the inputs have no ValidatingAdmissionPolicies");
    const statements: ProvedStatement[] = [];
    for (const expression of that)
      statements.push({ expression, answer: await proveThat(simulated, statement("that", expression), options) });
    return { report: statementsReport(statements), cases: statements.flatMap(statementCase) };
  }
  const asked: AskedQuestion[] = [];
  for await (const item of askAll(simulated, options)) asked.push(item);
  const report = answersReport(asked, args.on("all"));
  const isAnswered = asked.some(({ answer }) => answer.is !== "unknown");
  const cases = asked.filter(({ isProblem }) => isProblem).flatMap((item) => suiteCase(item) ?? []);
  return {
    report: isAnswered ? report : withNothingJudged(report, { message: "no question could be answered" }),
    cases,
  };
}

/** An expression of a flag that compiles. */
function statement(flag: string, expression: string): string {
  const error = statementError(expression);
  if (error !== undefined)
    throw new UsageError(`--${flag}: ${error}`, "an expression about a request, such as 'object.spec.replicas <= 100'");
  return expression;
}
