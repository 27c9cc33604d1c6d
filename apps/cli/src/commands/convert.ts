// `celadon convert`: suites and policies of other tools, written in our format and as ValidatingAdmissionPolicies.

import { type Imported, paramDefinitions, sourceText } from "@celadon/testing";
import type { Args, Command, Option } from "../command.ts";
import { type Gathered, gather } from "../convert/gather.ts";
import { type PolicyBlock, policiesText, type ShownProblem, suiteText } from "../convert/texts.ts";
import { distinctNames, type OutFile, writeOut } from "../convert/write-out.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { pathsOf } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  { name: "to",     value: "WHAT",             help: "suite, or policies alone; suite where there are suites", choices: ["suite", "policies"], strict: true },
  { name: "output", short: "o", value: "DIR",  help: "write files into this directory instead of standard output", choices: "files" },
  { name: "force",                             help: "write over files that are there" },
];

export const command: Command = {
  name: "convert",
  summary: "turn suites and policies of other tools into ours",
  usage: "PATH… [flags]",
  about: `Reads suites of kyverno, gator, kaptest, kube-vap-test and the kubescape library with the policies they name, and writes them
as test suites of celadon and ValidatingAdmissionPolicies. Kyverno's validate.cel rules and ValidatingPolicies and Gatekeeper's
CEL templates are converted as far as they are CEL that an API server knows; for pods, the policies Kyverno derives for
workloads are derived, too. A rule that cannot be said exactly is left out and named.

Exit code 1: something was not converted. Nothing is written when an input cannot be read or a file is in the way.`,
  options: OPTIONS,
  positionals: "files",
  plain: true,
  examples: [
    { what: "policies, to look at", line: "celadon convert policies/require-labels.yaml" },
    { what: "suites with their policies, to keep", line: "celadon convert kyverno/ -o celadon/" },
    { what: "the policies of suites alone", line: "celadon convert --to policies gatekeeper/library -o policies/" },
  ],
  run: convert,
};

async function convert(args: Args, io: Io): Promise<ExitCode> {
  const paths = pathsOf(args);
  if (paths.length === 0) throw new UsageError("nothing to convert", "name files or directories: celadon convert .");
  const gathered = await gather(paths, io);
  const { suites, policies } = gathered;
  const to = args.text("to") ?? (suites.length > 0 ? "suite" : "policies");
  if ((to === "suite" ? suites.length : suites.length + policies.length) === 0) {
    const what = to === "suite" ? "no suites of other tools" : "no policies of other tools";
    throw new UsageError(
      `${what} in ${paths.join(", ")}`,
      "docs/guides/coming-from-other-tools.md tells which there are",
    );
  }
  const { files, missed } = to === "suite" ? suiteFiles(suites) : policyFile(gathered);
  const directory = args.text("output");
  if (directory === undefined) {
    const texts =
      to === "suite"
        ? suites.filter(({ suite }) => suite.cases.length > 0).map((one) => suiteText(one))
        : files.map(({ text }) => text);
    io.out.write(texts.join("---\n"));
  } else {
    const written = await writeOut(directory, files, args.on("force"), io);
    if (!args.on("quiet")) for (const file of written) io.err.write(`wrote ${file}\n`);
  }
  for (const line of missed) io.err.write(`not converted: ${line}\n`);
  return missed.length > 0 ? EXIT.failed : EXIT.ok;
}

interface Outcome {
  readonly files: readonly OutFile[];
  /** What was not converted, a line each. */
  readonly missed: readonly string[];
}

function suiteFiles(suites: readonly Imported[]): Outcome {
  const names = distinctNames(suites.map(({ suite }) => suite.name));
  const files = suites.flatMap((one, i): OutFile[] => {
    const problems = one.problems.map((problem): ShownProblem => ({ ...problem, where: whereOf(problem) }));
    const blocks = one.policies.map((made): PolicyBlock => ({ made, file: one.suite.origin.file }));
    const own = new Set<unknown>(
      one.policies.flatMap(({ policy, bindings, params }) => [policy, ...bindings, ...params]),
    );
    const more = one.suite.resources.map(({ object }) => object).filter((object) => !own.has(object));
    // A suite without cases is none, and a file without documents says nothing.
    return [
      ...(blocks.length + more.length > 0
        ? [{ path: `${names[i]}/policies.yaml`, text: policiesText(blocks, more, problems) }]
        : []),
      ...(one.suite.cases.length > 0
        ? [{ path: `${names[i]}/tests.yaml`, text: suiteText(one, "policies.yaml") }]
        : []),
    ];
  });
  const missed = suites.flatMap(({ suite, skipped, problems }) => [
    ...problems.map((problem) => `${whereOf(problem)}: ${problem.message}`),
    ...skipped.map(({ case: one, reason }) => `${suite.origin.file}: ${one.name}: ${reason}`),
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
