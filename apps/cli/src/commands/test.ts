// `celadon test`: test suites, run without a cluster.

import { posix } from "node:path";
import { SimulatedCluster } from "@celadon/simulator";
import { type RunOptions, type SuiteResult, updatesOf } from "@celadon/testing";
import { CoverageCollector } from "@celadon/testing/coverage";
import { isImported } from "@celadon/testing/import";
import { COVERAGE_OPTIONS, coverageSettings } from "../coverage/options.ts";
import { AUTOGEN } from "../inputs/autogen-flags.ts";
import { printNotes, reportUnread } from "../inputs/inputs.ts";
import { KUBE_VERSIONS, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { MUTATE_OPTIONS, mutateSettings } from "../mutate/options.ts";
import { remark } from "../output/say.ts";
import { parseTargets } from "../output/targets.ts";
import { writeAnswer } from "../output/write.ts";
import { PLAYGROUND, playgroundUrl } from "../playground/address.ts";
import type { Failed } from "../playground/links.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ineffectiveIn, ineffectiveNotes } from "../review/ineffective.ts";
import { isManifestName } from "../sources/find/find.ts";
import type { SourceNote } from "../sources/index.ts";
import { ALLOW_OUTSIDE } from "../suites/reach.ts";
import { patternOf, runSuites, type SuitesRun } from "../suites/run-suites.ts";
import { testAnswer } from "../suites/test-answer.ts";
import { newestOnly } from "../suites/versions.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "run",       value: "REGEX", help: "run only cases whose suite/case name matches" },
  { name: "verbose",   short: "v",     help: "also show passing cases, with their duration" },
  { name: "fail-fast",                 help: "stop at the first failing case" },
  { name: "update",                    help: "rewrite expected messages, warnings and costs to match the results; verdicts are never changed; with --mutate, add the cases that would detect more" },
  { name: "watch",                     help: "run again when a file changes" },
  { ...KUBE_VERSIONS, help: "Kubernetes versions to emulate instead of those that suites name, such as 1.33 or 1.30..1.37: every case runs with each" },
  ...READING,
  ALLOW_OUTSIDE,
  AUTOGEN,
  PLAYGROUND,
  { name: "init",      value: "PATH",  help: "write a starter suite for the policies in this file or directory, without running it", choices: "files" },
  ...COVERAGE_OPTIONS,
  ...MUTATE_OPTIONS,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "test",
  summary: "run test suites for policies, CRD rules, webhooks and certificate policies",
  failure: "a case failed, or coverage or the score is too low",
  usage: "[PATH…] [flags]",
  about: `Runs test suites: YAML files of kind TestSuite with policies, objects and expected results. Directories are searched
recursively for suites; the default is the current directory. A case in which no policy was evaluated fails, unless it expects that,
and shows which rule, selector, condition or permission excluded the object. A suite that cannot be read, or whose policies a server
would reject, is reported; the others are run, and the exit code is 2. With several Kubernetes versions, every case runs with each of
them, and a table shows which suites fail with which version; --update, --mutate and the places of coverage are of the newest.

Suites of kyverno, gator, kaptest, kube-vap-test, celtest and the kubescape library are found and run too. A case whose result differs
shows what that tool expected.

See docs/reference/test-format.md for the format, docs/reference/coverage.md for coverage and docs/reference/mutation.md for
mutation testing.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "run all suites below the current directory", line: "celadon test" },
    { what: "run some cases, and show those that pass", line: "celadon test -v --run 'images/.*denied' policies/" },
    { what: "run with every version you run", line: "celadon test --kube-version 1.33..1.37 policies/" },
    { what: "run again on every change", line: "celadon test --watch policies/" },
    { what: "write a first suite", line: "celadon test --init policy.yaml && celadon test --update" },
    { what: "write a report for CI", line: "celadon test -o text -o junit=report.xml" },
    { what: "find changes of policies that no case detects", line: "celadon test --mutate --mutate-min 90" },
    { what: "add cases that detect them", line: "celadon test --mutate --update" },
    {
      what: "print links that open failed cases in the playground",
      line: "celadon test --playground http://127.0.0.1:7780/",
    },
    {
      what: "measure coverage",
      line: "celadon test --coverage --coverage-out html=coverage.html --coverage-min 80",
    },
  ],
  run: test,
});

async function test(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const starter = args.text("init");
  if (starter !== undefined) {
    const { writeStarter } = await import("../suites/starter.ts");
    const { file, isIncomplete } = await writeStarter(starter, io);
    const next = isIncomplete ? `; \`celadon test --update ${file}\` adds \`expect\` to cases that lack it` : "";
    remark(io, `wrote ${file}${next}`);
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
      remark(io, `celadon: ${error.message}`);
      last = EXIT.usage;
    }
    return [...watched];
  };
  const reports = new Set(parseTargets(args).map(({ file }) => file && posix.normalize(file)));
  const matters = (path: string): boolean => isManifestName(path) && !reports.has(posix.normalize(path));
  await watching({ run, matters }, io);
  return last;
}

async function runOnce(args: ArgsOf<typeof OPTIONS>, watched: Set<string>, io: Io): Promise<ExitCode> {
  const run = patternOf(args.text("run"));
  const playground = playgroundUrl(args);
  const settings = coverageSettings(args);
  const mutation = mutateSettings(args);
  const options = { now: io.now, signal: io.signal, failFast: args.on("fail-fast"), ...(run && { run }) };
  const runAll = async (): Promise<SuitesRun & { readonly collector: CoverageCollector }> => {
    const collector = new CoverageCollector();
    const observe: RunOptions["observe"] = (_, simulated) => collector.watch(simulated);
    const ran = await runSuites(args, { ...options, ...(settings && { observe }) }, watched, io);
    return { ...ran, collector };
  };
  let { results, rejected, unread, collector } = await runAll();
  if (args.on("update")) {
    const { applyEdits } = await import("../suites/update-file.ts");
    const files = await applyEdits(
      // Suites of other tools stay as they are.
      newestOnly(results)
        .filter((result) => !isImported(result))
        .map((result) => ({ suite: result.suite, edits: updatesOf(result) })),
      io,
    );
    for (const file of files) remark(io, `updated ${file}`);
    if (files.length > 0) ({ results, rejected, unread, collector } = await runAll());
  }
  const suites = newestOnly(results).map(({ suite }) => suite);
  reportUnread(unread, false, args, io);
  printNotes(await ineffectiveInSuites(results), args, io);
  let answer = testAnswer(results, args.on("verbose"), rejected);
  if (settings !== undefined) {
    const { withCoverage } = await import("../coverage/with-coverage.ts");
    answer = await withCoverage(answer, { settings, collector, suites }, io);
  }
  if (mutation !== undefined) {
    const { withMutation } = await import("../mutate/with-mutation.ts");
    // Suites of other tools stay as they are.
    const own = newestOnly(results)
      .filter((result) => !isImported(result))
      .map(({ suite }) => suite);
    const growing = args.on("update") ? own : [];
    answer = await withMutation(answer, { settings: mutation, suites, growing }, args, io);
  }
  if (playground !== undefined) {
    const { withLinks } = await import("../playground/links.ts");
    answer = await withLinks(answer, playground, failedCases(results));
  }
  return writeAnswer(withUnread(answer, unread), args, io);
}

/** Mistakes that keep policies of suites from ever matching: a case that expects no match would hide them. */
async function ineffectiveInSuites(results: readonly SuiteResult[]): Promise<readonly SourceNote[]> {
  const notes = new Map<string, SourceNote>();
  for (const { suite } of results) {
    const { resources, kubeVersion } = suite;
    const simulated = SimulatedCluster.of(resources, kubeVersion && { kubeVersion });
    for (const note of ineffectiveNotes(await ineffectiveIn(simulated))) notes.set(JSON.stringify(note), note);
  }
  return [...notes.values()];
}

/** Cases whose result is not the expected one. */
function failedCases(results: readonly SuiteResult[]): readonly Failed[] {
  return results.flatMap(({ suite, cases }) =>
    cases.flatMap(({ id, result, case: one }): Failed[] => {
      if (result !== "fail" || one.proof !== undefined) return [];
      const { object, oldObject, operation, subresource, user, namespace, dryRun, policies } = one;
      const isDefault = operation === "CREATE" || operation === "UPDATE";
      const asked = {
        manifests: [...suite.resources, ...one.resources].map((manifest) => manifest.object),
        object: object?.object,
        oldObject: oldObject?.object,
        request: {
          ...(!isDefault && { operation }),
          ...(subresource && { subresource }),
          ...(user?.username && { user: user.username }),
          ...(user?.groups && { groups: user.groups }),
          ...(namespace && { namespace }),
          ...(dryRun && { dryRun }),
        },
        kubeVersion: suite.kubeVersion,
        ...(policies && { policies: new Set(policies) }),
      };
      return [{ name: id, asked }];
    }),
  );
}
