// `celadon lint`: mistakes in policies, bindings, webhook configurations, CRDs and certificate policies.

import { gvkOf, type KubeObject } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import {
  isLintCode,
  isWanted,
  LINT_CODES,
  LINT_LEVELS,
  type LintCode,
  Linter,
  type LintLevel,
  type LintProblem,
  type Wanted,
} from "@celadon/lint";
import { SimulatedCluster } from "@celadon/simulator";
import { buildableOf, loadInputs, pathsOf } from "../inputs/inputs.ts";
import { BUILT, FILES, KUBE_VERSIONS, READING, WARN_EXIT_CODE } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { codeOf, codesOf } from "../lint/codes-of.ts";
import { disabledByConfiguration } from "../lint/disabled.ts";
import { fixFiles } from "../lint/fix.ts";
import { codeAnswer, codesAnswer, lintAnswer, problemRows } from "../lint/lint-answer.ts";
import { withProofs } from "../lint/proved-problems.ts";
import { diffText } from "../output/diff-text.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import { unifiedDiff } from "../output/unified-diff.ts";
import { writeAnswer, writeFiles } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { CHANGED_ONLY, changedOnly } from "../review/changed-only.ts";
import { readSource } from "../sources/editable.ts";
import { parseKubeVersions } from "../sources/index.ts";
import { STDIN } from "../sources/issue.ts";
import { SUPPRESSIONS, saveBaseline, siftOf } from "../suppressions/flags.ts";
import { withSuppressed } from "../suppressions/suppressed-report.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  { ...KUBE_VERSIONS, help: "Kubernetes versions that must accept the resources, such as 1.33, 1.30..1.37 or 1.30,1.33" },
  { name: "level",   value: "LEVEL", help: "lowest level to report: error, warning or note", choices: LINT_LEVELS, strict: true, fallback: "note" },
  { name: "only",    value: "CODE",  repeatable: true, help: "report only this code" },
  { name: "disable", value: "CODE",  repeatable: true, help: "do not report this code" },
  { name: "proofs",  help: "ask of every validation whether it can fail, always or never holds, or repeats others; takes longer" },
  { name: "type-notes", help: "show every note about types, too: fields that some of the matched kinds lack" },
  { name: "fix",     help: "correct misspelt names in the files, where that leaves fewer problems and no new one; shows the changes" },
  { name: "dry-run", help: "with --fix: show the changes, and change nothing" },
  { name: "explain", value: "CODE", help: "explain a code: its meaning, and the fix" },
  { name: "list",    help: "list all codes with their meaning" },
  CHANGED_ONLY,
  ...SUPPRESSIONS,
  WARN_EXIT_CODE,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "lint",
  summary: "find mistakes in policies, bindings, webhooks and CRDs",
  failure: "an error was found",
  usage: "[-f] PATH… [flags]",
  about: `Finds what an API server would reject, expressions that do not fit the schemas of the matched kinds, references to things that do not
exist, rules that match nothing or miss subresources, CRD rules that may cost too much, and features that a Kubernetes version
lacks. Shows each problem in your file, with a fix. CRDs and params in the inputs let it check more.

To ignore codes in a resource, annotate it with celadon.dev/lint-ignore: "code1,code2".`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "lint a directory", line: "celadon lint -f policies/" },
    { what: "lint for all versions from 1.30 on", line: "celadon lint -f policies/ --kube-version 1.30..1.37" },
    {
      what: "fail on warnings too, and hide notes",
      line: "celadon lint -f . --level warning --warn-exit-code 1",
    },
    { what: "annotate a pull request", line: "celadon lint -f . -o github" },
    { what: "lint what a pull request changes", line: "celadon lint -f . --changed-only origin/main" },
    { what: "correct misspelt names", line: "celadon lint --fix policies/" },
    { what: "see what would be corrected", line: "celadon lint --fix --dry-run policies/" },
    { what: "list the codes", line: "celadon lint --list" },
    { what: "explain a code", line: "celadon lint --explain unguarded_field" },
  ],
  run: runLint,
});

async function runLint(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  if (args.on("list")) return writeAnswer(codesAnswer(), args, io);
  const explained = args.text("explain");
  if (explained !== undefined) return writeAnswer(codeAnswer(codeOf("explain", explained)), args, io);
  const minors = parseKubeVersions(args.text("kube-version"));
  const wanted = {
    level: (args.text("level") ?? "note") as LintLevel,
    only: codesOf("only", args.list("only")),
    disabled: codesOf("disable", args.list("disable")),
  };
  const isDisabled = disabledByConfiguration(args.configuration, args, io);
  const paths = pathsOf(args);
  const dryRun = args.on("dry-run");
  if (dryRun && !args.on("fix")) throw new UsageError("--dry-run is for --fix");
  if (args.on("fix")) await fixInputs(paths, minors, { dryRun, signal: io.signal }, args, io);
  const loaded = await loadInputs(paths, "lint", args, io);
  const { manifests, issues } = loaded;
  const waiting = (): Promise<void> => pause(io.signal);
  const simulated = SimulatedCluster.of(manifests);
  const { resources, problems } = await new Linter(minors).lint(manifests, simulated, waiting);
  const proved = await withProofs(problems, simulated, { wanted, everything: args.on("proofs"), pause: waiting });
  const all = proved.filter((problem) => isWanted(problem, wanted) && !isDisabled(problem));
  const isShown = (problem: LintProblem): boolean =>
    args.on("type-notes") || wanted.only.size > 0 || problem.level !== "note" || !TYPE_NOTES.has(problem.code);
  const isChanged = await changedOnly(manifests, paths, "lint", args, io, isDefinition);
  const changed = isChanged === undefined ? all : all.filter(({ manifest }) => isChanged(manifest));
  const isPartial = isChanged !== undefined;
  const sift = await siftOf("lint", loaded, args, io, { isReported: (code) => isReported(code, wanted), isPartial });
  const rows = sift === undefined ? [] : problemRows(changed);
  const kept = sift === undefined ? changed : changed.filter((_, i) => !sift.takes(rows[i]!));
  const answer = withSuppressed(lintAnswer({ resources, problems: kept }, minors, isShown), sift);
  await saveBaseline(sift, args, io);
  return writeAnswer(withUnread(answer, issues), args, io);
}

/** Policies are checked against the schemas of definitions. */
const isDefinition = (object: KubeObject): boolean => gvkOf(object).kind === "CustomResourceDefinition";

/** Whether findings of a code are among what the flags ask for. */
function isReported(code: string, { level, only, disabled }: Wanted): boolean {
  if (!isLintCode(code) || disabled.has(code) || (only.size > 0 && !only.has(code))) return false;
  return LINT_LEVELS.indexOf(LINT_CODES.get(code)!.level) <= LINT_LEVELS.indexOf(level);
}

/** A policy for several kinds has one for every field that not all of them have; few are mistakes. */
const TYPE_NOTES: ReadonlySet<LintCode> = new Set(["type_mismatch", "type_mismatch_by_wildcard"]);

/** Corrects the files, and shows how. */
async function fixInputs(
  paths: readonly string[],
  minors: readonly Minor[],
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
): Promise<void> {
  if (paths.includes(STDIN)) throw new UsageError("--fix changes files in place, and standard input is none");
  if (buildableOf(args) !== undefined) {
    throw new UsageError("--fix changes files in place, not what -k and --helm build");
  }
  const { manifests } = await loadInputs(paths, "lint", args, { ...io, err: { ...io.err, write: () => {} } });
  const texts = new Map<string, string>();
  const marks = new Map<string, string>();
  for (const file of new Set(manifests.flatMap(({ origin }) => origin?.file ?? []))) {
    const source = await readSource(file, io);
    if ("code" in source) continue;
    texts.set(file, source.source.text);
    marks.set(file, source.mark);
  }
  const fixed = await fixFiles(texts, minors, () => pause(signal));
  const paint = paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env));
  for (const { file, before, after } of fixed) io.err.write(`${diffText(unifiedDiff(before, after, file), paint)}\n`);
  if (!dryRun && fixed.length > 0) {
    await writeFiles(new Map(fixed.map(({ file, after }) => [file, `${marks.get(file) ?? ""}${after}`])), io);
  }
  const count = fixed.reduce((sum, { fixes }) => sum + fixes, 0);
  const what = `${count} ${count === 1 ? "name" : "names"} in ${fixed.length} ${fixed.length === 1 ? "file" : "files"}`;
  if (!args.on("quiet")) io.err.write(`${dryRun ? "would correct" : "corrected"} ${what}\n`);
}

/** Lets a signal arrive. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
