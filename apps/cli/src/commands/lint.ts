// `celadon lint`: what is wrong with policies, bindings, webhook configurations, definitions and certificate policies themselves.

import { isWanted, LINT_LEVELS, type LintLevel, lint } from "@celadon/lint";
import type { Args, Command, Option } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { loadInputs, pathsOf } from "../inputs.ts";
import type { Io } from "../io.ts";
import { codesOf } from "../lint/codes-of.ts";
import { codesAnswer, lintAnswer } from "../lint/lint-answer.ts";
import { FILES, KUBE_VERSION, WARN_EXIT_CODE } from "../options.ts";
import { writeAnswer } from "../output/write.ts";
import { parseKubeVersions } from "../sources/index.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  { ...KUBE_VERSION, value: "MINORS", help: "the Kubernetes minors it must work with, such as 1.30..1.36 or 1.30,1.33" },
  { name: "level",   value: "LEVEL", help: "say no less than this: error, warning or note", choices: LINT_LEVELS, strict: true, fallback: "note" },
  { name: "only",    value: "CODE",  repeatable: true, help: "only problems with these codes" },
  { name: "disable", value: "CODE",  repeatable: true, help: "no problems with these codes" },
  { name: "list",    help: "list the codes with what they mean" },
  WARN_EXIT_CODE,
];

export const command: Command = {
  name: "lint",
  summary: "find what is wrong with policies, bindings, webhooks and CRDs themselves",
  usage: "[-f] PATH… [flags]",
  about: `Finds what an API server refuses, expressions that do not fit the schemas of what they look at, names that lead nowhere, rules
that match nothing or miss subresources, CRD rules that may cost too much, and what some Kubernetes minor does not know. Problems are
shown in your file, with what to do about them. CustomResourceDefinitions and params among the inputs make it know more.

A resource may switch codes off by the annotation celadon.dev/lint-ignore: "code1,code2".`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "everything in a directory", line: "celadon lint -f policies/" },
    { what: "for all clusters from 1.30 on", line: "celadon lint -f policies/ --kube-version 1.30..1.36" },
    {
      what: "errors and warnings, warnings fail as well",
      line: "celadon lint -f . --level warning --warn-exit-code 1",
    },
    { what: "beside the lines of a pull request", line: "celadon lint -f . -o github" },
    { what: "the codes", line: "celadon lint --list" },
  ],
  run: runLint,
};

async function runLint(args: Args, io: Io): Promise<ExitCode> {
  if (args.on("list")) return writeAnswer(codesAnswer(), args, io);
  const minors = parseKubeVersions(args.text("kube-version"));
  const wanted = {
    level: (args.text("level") ?? "note") as LintLevel,
    only: codesOf("only", args.list("only")),
    disabled: codesOf("disable", args.list("disable")),
  };
  const { manifests } = await loadInputs(pathsOf(args), "lint", args, io);
  const { resources, problems } = await lint(manifests, { minors, pause: () => pause(io.signal) });
  const shown = problems.filter((one) => isWanted(one, wanted));
  return writeAnswer(lintAnswer({ resources, problems: shown }, minors), args, io);
}

/** Lets a signal arrive. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
