// `celadon lint`: mistakes in policies, bindings, webhook configurations, CRDs and certificate policies.

import { isWanted, LINT_LEVELS, type LintLevel, lint } from "@celadon/lint";
import { loadInputs, pathsOf } from "../inputs/inputs.ts";
import { FILES, KUBE_VERSION, READING, WARN_EXIT_CODE } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { codesOf } from "../lint/codes-of.ts";
import { codesAnswer, lintAnswer } from "../lint/lint-answer.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import type { ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { parseKubeVersions } from "../sources/index.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...READING,
  { ...KUBE_VERSION, value: "VERSIONS", help: "Kubernetes versions that must accept the resources, such as 1.30..1.36 or 1.30,1.33" },
  { name: "level",   value: "LEVEL", help: "lowest level to report: error, warning or note", choices: LINT_LEVELS, strict: true, fallback: "note" },
  { name: "only",    value: "CODE",  repeatable: true, help: "report only this code" },
  { name: "disable", value: "CODE",  repeatable: true, help: "do not report this code" },
  { name: "list",    help: "list all codes with their meaning" },
  WARN_EXIT_CODE,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "lint",
  summary: "find mistakes in policies, bindings, webhooks and CRDs",
  usage: "[-f] PATH… [flags]",
  about: `Finds what an API server would reject, expressions that do not fit the schemas of the matched kinds, references to things that do not
exist, rules that match nothing or miss subresources, CRD rules that may cost too much, and features that a Kubernetes version
lacks. Shows each problem in your file, with a fix. CRDs and params in the inputs let it check more.

To ignore codes in a resource, annotate it with celadon.dev/lint-ignore: "code1,code2".`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "lint a directory", line: "celadon lint -f policies/" },
    { what: "lint for all versions from 1.30 on", line: "celadon lint -f policies/ --kube-version 1.30..1.36" },
    {
      what: "fail on warnings too, and hide notes",
      line: "celadon lint -f . --level warning --warn-exit-code 1",
    },
    { what: "annotate a pull request", line: "celadon lint -f . -o github" },
    { what: "list the codes", line: "celadon lint --list" },
  ],
  run: runLint,
});

async function runLint(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  if (args.on("list")) return writeAnswer(codesAnswer(), args, io);
  const minors = parseKubeVersions(args.text("kube-version"));
  const wanted = {
    level: (args.text("level") ?? "note") as LintLevel,
    only: codesOf("only", args.list("only")),
    disabled: codesOf("disable", args.list("disable")),
  };
  const { manifests, issues } = await loadInputs(pathsOf(args), "lint", args, io);
  const { resources, problems } = await lint(manifests, { minors, pause: () => pause(io.signal) });
  const shown = problems.filter((problem) => isWanted(problem, wanted));
  return writeAnswer(withUnread(lintAnswer({ resources, problems: shown }, minors), issues), args, io);
}

/** Lets a signal arrive. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
