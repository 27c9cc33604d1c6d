// Finds, reads and runs all suites of a call. If one cannot be read, its problems are reported with their places and
// none is run: a passing run that left out a suite would be misleading.

import { pushAll } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import {
  type RunOptions,
  readSuite,
  runSuite,
  type Suite,
  type SuiteIssue,
  type SuiteResult,
  type SuiteSource,
} from "@celadon/testing";
import { type Imported, importSuite, runImported } from "@celadon/testing/import";
import { badInput, exclusionsOf } from "../inputs/inputs.ts";
import { frame } from "../output/frame.ts";
import { type Paint, paintOf, wantsColour } from "../output/paint.ts";
import { startProgress } from "../output/progress.ts";
import { oneLine } from "../output/visible.ts";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { DiskLoader, findSuites } from "./find-suites.ts";
import { DiskDocuments } from "./foreign-documents.ts";
import { skippedNotes } from "./foreign-notes.ts";
import { reachOf } from "./reach.ts";
import { EXAMPLE_SUITE } from "./starter.ts";

export interface SuitesRun {
  readonly results: readonly SuiteResult[];
}

/** A suite of ours, or one of another tool. */
export interface Runnable {
  readonly suite: Suite;
  readonly imported?: Imported;
}

/** `watched` gets every path that is read, so that a failed run can be repeated when one changes. */
export async function runSuites(
  args: Args<"allow-outside" | "autogen" | "color" | "quiet" | "run">,
  options: RunOptions,
  watched: Set<string>,
  io: Io,
): Promise<SuitesRun> {
  const suites = await readSuites(args, watched, io);
  const total = suites.reduce(
    (sum, { suite, imported }) => sum + suite.cases.length + (imported?.skipped.length ?? 0),
    0,
  );
  const progress = startProgress("testing", args, io);
  const results: SuiteResult[] = [];
  let done = 0;
  let failed = false;
  try {
    for (const { suite, imported } of suites) {
      const settings: RunOptions = {
        ...options,
        // The first failure ends the suites that follow, too.
        ...(failed ? { skip: "skipped after a failure" } : {}),
        onCase: (result) => {
          progress.update(++done, total, result.id);
          if (options.failFast && (result.result === "fail" || result.result === "error")) failed = true;
        },
      };
      results.push(await (imported ? runImported(imported, settings) : runSuite(suite, settings)));
    }
  } finally {
    progress.end();
  }
  io.signal.throwIfAborted();
  const issues = results.flatMap(({ suite, issues }) => issues.map((issue) => ({ suite, issue })));
  if (issues.length > 0) throw badSuites(issues, args, io);
  if (options.run !== undefined && results.every(({ cases }) => cases.length === 0)) {
    throw new UsageError(
      `--run "${args.text("run")}" matches none of ${total} cases`,
      "the pattern is matched against suite/case",
    );
  }
  if (!args.on("quiet")) io.err.write(skippedNotes(suites.flatMap(({ imported }) => imported ?? [])));
  const imported = suites.reduce((sum, suite) => sum + (suite.imported?.skipped.length ?? 0), 0);
  // Green for having tested nothing would be a lie.
  if (total > 0 && imported === total) {
    throw new UsageError(`none of ${total} cases could be run`, "they use features that an API server does not have");
  }
  return { results };
}

export async function readSuites(
  args: Args<"allow-outside" | "autogen" | "color">,
  watched: Set<string>,
  io: Io,
): Promise<readonly Runnable[]> {
  const paths = args.positionals.length === 0 ? ["."] : args.positionals;
  for (const path of paths) watched.add(path.replace(/\/?\.\.\.$/, "") || ".");
  const exclusions = await exclusionsOf(args, io);
  const found = await findSuites(paths, io, (path, isDirectory) => exclusions.excludes(path, isDirectory));
  const { suites: sources, foreign, issues } = found;
  for (const { origin } of [...sources, ...foreign]) watched.add(origin.file);
  if (issues.length > 0) throw badInput(issues, io, args);
  if (sources.length + foreign.length === 0) {
    throw new UsageError(`no test suites in ${paths.join(", ")}`, `write one, such as\n\n${EXAMPLE_SUITE}`);
  }
  const suites: Runnable[] = [];
  const wrong: { suite: Pick<Suite, "origin">; issue: SuiteIssue }[] = [];
  for (const source of sources) {
    const loader = new DiskLoader(await reachOf(source.origin.file, io, args.on("allow-outside")));
    const { suite, issues } = await readSuite(source, loader, { autogen: args.on("autogen") });
    for (const file of loader.files) watched.add(file);
    if (suite !== undefined) suites.push({ suite });
    pushAll(
      wrong,
      issues.map((issue) => ({ suite: source, issue })),
    );
  }
  for (const source of foreign) {
    const { imported, issues } = await readForeign(source, watched, args, io);
    if (imported !== undefined) suites.push({ suite: imported.suite, imported });
    pushAll(
      wrong,
      issues.map((issue) => ({ suite: source, issue })),
    );
  }
  if (wrong.length > 0) throw badSuites(wrong, args, io);
  return suites;
}

async function readForeign(
  source: SuiteSource,
  watched: Set<string>,
  args: Args<"allow-outside">,
  io: Io,
): Promise<{ imported?: Imported; issues: readonly SuiteIssue[] }> {
  const loader = new DiskDocuments(await reachOf(source.origin.file, io, args.on("allow-outside")));
  const { imported, issues } = await importSuite(source, loader);
  for (const file of loader.files) watched.add(file);
  const placed = issues.map(
    (issue): SuiteIssue => ({
      code: issue.line === undefined ? "bad_reference" : "bad_file",
      ...issue,
      file: issue.file ?? source.origin.file,
    }),
  );
  return { ...(imported && { imported }), issues: placed };
}

/** The pattern of `--run`. */
export function patternOf(text: string | undefined): { test(name: string): boolean } | undefined {
  if (text === undefined) return undefined;
  const regex = compileRegex(text);
  if (isError(regex)) throw new UsageError(`--run "${text}" is not a regular expression: ${regex.message}`);
  return regex;
}

function badSuites(
  wrong: readonly { suite: Pick<Suite, "origin">; issue: SuiteIssue }[],
  args: Args<"color">,
  io: Io,
): UsageError {
  const paint = paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env));
  for (const { issue } of wrong) io.err.write(issueText(issue, paint));
  const files = new Set(wrong.map(({ suite }) => suite.origin.file));
  return new UsageError(files.size === 1 ? `${[...files][0]} cannot be run` : `${files.size} suites cannot be run`);
}

function issueText({ file, line, column = 1, message, hint, lineText }: SuiteIssue, paint: Paint): string {
  const hinted = hint === undefined ? "" : `  ${paint.dim(oneLine(hint))}\n`;
  if (line === undefined) return `${oneLine(`${file}: ${message}`)}\n${hinted}`;
  const text = (number: number): string | undefined => (number === line ? lineText : undefined);
  return frame({ file, line, column, text, message, before: 0, paint }) + hinted;
}
