// `celadon convert`: converts suites and policies of other tools to Celadon's test suites and ValidatingAdmissionPolicies.

import { type Imported, paramDefinitions, sourceText } from "@celadon/testing/import";
import { type Gathered, gather } from "../convert/gather.ts";
import { type PolicyBlock, policiesText, type ShownProblem, suiteText } from "../convert/texts.ts";
import { distinctNames, type OutFile, writeOut } from "../convert/write-out.ts";
import { pathsOf } from "../inputs/inputs.ts";
import { FILES, READING } from "../inputs/options.ts";
import { remark } from "../output/say.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ALLOW_OUTSIDE } from "../suites/reach.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...READING,
  { name: "to",     value: "WHAT",             help: "what to write: suite (suites with their policies) or policies; by default suite if the inputs have suites", choices: ["suite", "policies"], strict: true },
  { name: "output", short: "o", value: "DIR",  help: "directory to write files to, instead of standard output", choices: "files" },
  ALLOW_OUTSIDE,
  { name: "force",                             help: "overwrite existing files" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "convert",
  summary: "convert test suites and policies from other tools",
  failure: "something was not converted",
  usage: "[-f] PATH… [flags]",
  about: `Converts suites of kyverno, gator, kaptest, kube-vap-test, celtest and the kubescape library, with the policies they use, to Celadon's
test suites and ValidatingAdmissionPolicies. Converts Kyverno's validate.cel rules and ValidatingPolicies and Gatekeeper's CEL templates as
far as an API server supports their CEL, including the policies that Kyverno derives for workloads. A rule that cannot be converted
exactly is skipped and listed.

The exit code is 1 if something was not converted, and 2 if an input cannot be read: everything else is converted. Nothing is written
if a file already exists.`,
  options: OPTIONS,
  positionals: "files",
  plain: true,
  examples: [
    { what: "print converted policies", line: "celadon convert policies/require-labels.yaml" },
    { what: "convert suites with their policies", line: "celadon convert kyverno/ -o celadon/" },
    {
      what: "convert only the policies of suites",
      line: "celadon convert --to policies gatekeeper/library -o policies/",
    },
  ],
  run: convert,
});

async function convert(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const paths = pathsOf(args);
  if (paths.length === 0) throw new UsageError("nothing to convert", "name files or directories: celadon convert .");
  const gathered = await gather(paths, args, io);
  const { suites, policies, issues } = gathered;
  const to = args.text("to") ?? (suites.length > 0 ? "suite" : "policies");
  if ((to === "suite" ? suites.length : suites.length + policies.length) === 0) {
    const what = to === "suite" ? "no suites from other tools" : "no policies from other tools";
    throw new UsageError(
      `${what} in ${paths.join(", ")}`,
      "see docs/guides/coming-from-other-tools.md for what can be converted",
    );
  }
  const { files, missed } = to === "suite" ? suiteFiles(suites) : policyFile(gathered);
  const directory = args.text("output");
  if (directory === undefined) {
    const texts =
      to === "suite"
        ? suites.filter(({ suite }) => suite.cases.length > 0).map((suite) => suiteText(suite))
        : files.map(({ text }) => text);
    io.out.write(texts.join("---\n"));
  } else {
    const written = await writeOut(directory, files, args.on("force"), io);
    if (!args.on("quiet")) for (const file of written) remark(io, `wrote ${file}`);
  }
  for (const line of missed) remark(io, `not converted: ${line}`);
  if (issues.length > 0) return EXIT.usage;
  return missed.length > 0 ? EXIT.failed : EXIT.ok;
}

interface Outcome {
  readonly files: readonly OutFile[];
  /** The unconverted parts, a line each. */
  readonly missed: readonly string[];
}

function suiteFiles(suites: readonly Imported[]): Outcome {
  const names = distinctNames(suites.map(({ suite }) => suite.name));
  const files = suites.flatMap((suite, i): OutFile[] => {
    const problems = suite.problems.map((problem): ShownProblem => ({ ...problem, where: whereOf(problem) }));
    const blocks = suite.policies.map((made): PolicyBlock => ({ made, file: suite.suite.origin.file }));
    const own = new Set<unknown>(
      suite.policies.flatMap(({ policy, bindings, params }) => [policy, ...bindings, ...params]),
    );
    const more = suite.suite.resources.map(({ object }) => object).filter((object) => !own.has(object));
    // Suites without cases and files without documents are not written.
    return [
      ...(blocks.length + more.length > 0
        ? [{ path: `${names[i]}/policies.yaml`, text: policiesText(blocks, more, problems) }]
        : []),
      ...(suite.suite.cases.length > 0
        ? [{ path: `${names[i]}/tests.yaml`, text: suiteText(suite, "policies.yaml") }]
        : []),
    ];
  });
  const missed = suites.flatMap(({ suite, skipped, problems }) => [
    ...problems.map((problem) => `${whereOf(problem)}: ${problem.message}`),
    ...skipped.map(({ case: testCase, reason }) => `${suite.origin.file}: ${testCase.name}: ${reason}`),
  ]);
  return { files, missed };
}

function policyFile({ policies }: Gathered): Outcome {
  const blocks = policies.flatMap(({ source, conversion }) =>
    conversion.policies.map((made): PolicyBlock => ({ made, file: source.origin.file })),
  );
  const problems = policies.flatMap(({ source, conversion }) =>
    conversion.problems.map((problem): ShownProblem => {
      const place = source.origin.positionOf(problem.path);
      return { ...problem, where: whereOf({ ...problem, file: source.origin.file, ...(place && { place }) }) };
    }),
  );
  const made = blocks.map((block) => block.made);
  const definitions = paramDefinitions(made, []);
  return {
    files: blocks.length === 0 ? [] : [{ path: "policies.yaml", text: policiesText(blocks, definitions, problems) }],
    missed: problems.map(({ where, message }) => `${where}: ${message}`),
  };
}

function whereOf(
  problem: Pick<ShownProblem, "source"> & { readonly file: string; readonly place?: { line: number; column: number } },
): string {
  const { file, place, source } = problem;
  const at = place === undefined ? file : `${file}:${place.line}:${place.column}`;
  return `${at}: ${sourceText(source)}`;
}
