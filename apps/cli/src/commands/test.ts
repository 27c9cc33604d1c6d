// `celadon test`: test suites, run without a cluster.

import { posix } from "node:path";
import { CoverageCollector, isImported, type RunOptions, type SuiteResult, updatesOf } from "@celadon/testing";
import { AUTOGEN } from "../autogen/flags.ts";
import type { Args, Command, Option } from "../command.ts";
import { COVERAGE_OPTIONS, coverageWish } from "../coverage/options.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { MUTATE_OPTIONS, mutateWish } from "../mutate/options.ts";
import { parseTargets } from "../output/targets.ts";
import { writeAnswer } from "../output/write.ts";
import { isManifestName } from "../sources/find.ts";
import { patternOf, runSuites } from "../suites/run-suites.ts";
import { testAnswer } from "../suites/test-answer.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  { name: "run",       value: "REGEX", help: "only cases whose suite/case matches" },
  { name: "verbose",   short: "v",     help: "show cases that pass, and how long each took" },
  { name: "fail-fast",                 help: "stop at the first case that fails" },
  { name: "update",                    help: "write messages, warnings, costs… that came into suites that expect others; verdicts are never changed" },
  { name: "watch",                     help: "run again whenever a file that was read changes" },
  AUTOGEN,
  { name: "init",      value: "PATH",  help: "write a first suite for the policies of a file or directory, and run nothing", choices: "files" },
  ...COVERAGE_OPTIONS,
  ...MUTATE_OPTIONS,
];

export const command: Command = {
  name: "test",
  summary: "run test suites of policies, CRD rules, webhooks and certificate policies",
  usage: "[PATH…] [flags]",
  about: `Runs test suites: YAML files of kind TestSuite, each with policies, objects and what is expected of them. A directory is
searched for suites, whatever they are called; without a path that is the current one. A case in which nothing was evaluated
fails, unless it expects that, and says which rule, selector, condition or permission refused.

Suites of kyverno, gator, kaptest, kube-vap-test and the kubescape library are found as well and run as they are; a case that
differs says what that tool expected.

The format is told in docs/reference/test-format.md, what coverage counts in
docs/reference/coverage.md, what --mutate changes in docs/reference/mutation.md.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "all suites below here", line: "celadon test" },
    { what: "some cases, with those that pass", line: "celadon test -v --run 'images/.*refused' policies/" },
    { what: "while writing a policy", line: "celadon test --watch policies/" },
    { what: "a first suite", line: "celadon test --init policy.yaml && celadon test --update" },
    { what: "for CI", line: "celadon test -o text -o junit=report.xml" },
    { what: "what no case would notice", line: "celadon test --mutate --mutate-min 90" },
    {
      what: "what no case has tried",
      line: "celadon test --coverage --coverage-out html=coverage.html --coverage-min 80",
    },
  ],
  run: test,
};

async function test(args: Args, io: Io): Promise<ExitCode> {
  const starter = args.text("init");
  if (starter !== undefined) {
    const { writeStarter } = await import("../suites/starter.ts");
    const file = await writeStarter(starter, io);
    io.err.write(`wrote ${file}; fill in its objects, then \`celadon test --update ${file}\` writes down what comes\n`);
    return EXIT.ok;
  }
  if (!args.on("watch")) return runOnce(args, new Set(), io);
  const { watching } = await import("../suites/watch.ts");
  let last: ExitCode = EXIT.ok;
  const run = async (): Promise<readonly string[]> => {
    const watched = new Set<string>();
    try {
      last = await runOnce(args, watched, io);
    } catch (error) {
      // A slip while writing is no reason to stop.
      if (!(error instanceof UsageError)) throw error;
      io.err.write(`celadon: ${error.message}\n`);
      last = EXIT.usage;
    }
    return [...watched];
  };
  const reports = new Set(parseTargets(args).map(({ file }) => file && posix.normalize(file)));
  const matters = (path: string): boolean => isManifestName(path) && !reports.has(posix.normalize(path));
  await watching({ run, matters }, io);
  return last;
}

async function runOnce(args: Args, watched: Set<string>, io: Io): Promise<ExitCode> {
  const run = patternOf(args.text("run"));
  const wish = coverageWish(args);
  const mutation = mutateWish(args);
  const options = { now: io.now, signal: io.signal, failFast: args.on("fail-fast"), ...(run && { run }) };
  const runAll = async (): Promise<{ results: readonly SuiteResult[]; collector: CoverageCollector }> => {
    const collector = new CoverageCollector();
    const observe: RunOptions["observe"] = (_, world) => collector.watch(world);
    const { results } = await runSuites(args, { ...options, ...(wish && { observe }) }, watched, io);
    return { results, collector };
  };
  let { results, collector } = await runAll();
  if (args.on("update")) {
    const { applyEdits } = await import("../suites/update-file.ts");
    const files = await applyEdits(
      // Suites of other tools stay as they are.
      results.filter((one) => !isImported(one)).map((result) => ({ suite: result.suite, edits: updatesOf(result) })),
      io,
    );
    for (const file of files) io.err.write(`updated ${file}\n`);
    if (files.length > 0) ({ results, collector } = await runAll());
  }
  const suites = results.map(({ suite }) => suite);
  let answer = testAnswer(results, args.on("verbose"));
  if (wish !== undefined) {
    const { withCoverage } = await import("../coverage/with-coverage.ts");
    answer = await withCoverage(answer, { wish, collector, suites }, io);
  }
  if (mutation !== undefined) {
    const { withMutation } = await import("../mutate/with-mutation.ts");
    answer = await withMutation(answer, mutation, suites, args, io);
  }
  return writeAnswer(answer, args, io);
}
