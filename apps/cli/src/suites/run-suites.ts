// Finds, reads and runs all suites of a call. Problems of suites that cannot be read or run are reported with their places, and the
// others are run; such a run never passes.

import { pushAll } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import type { Minor } from "@celadon/kube-cel";
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
import { startProgress } from "../output/progress.ts";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import type { SourceIssue } from "../sources/index.ts";
import { DiskLoader, findSuites } from "./find-suites.ts";
import { DiskDocuments } from "./foreign-documents.ts";
import { skippedNotes } from "./foreign-notes.ts";
import { reachOf } from "./reach.ts";
import { EXAMPLE_SUITE } from "./starter.ts";
import { type RequestedVersions, requestedVersions, type SuiteVersions, suiteAt, versionsFor } from "./versions.ts";

export interface SuitesRun {
  readonly results: readonly SuiteResult[];
  /** Suites that were not run with a version, because it rejects their resources. */
  readonly rejected: readonly SuiteResult[];
  /** Problems of suites that were not run, and of files that may be suites. */
  readonly unread: readonly SourceIssue[];
}

export interface ReadSuites {
  readonly suites: readonly Runnable[];
  readonly unread: readonly SourceIssue[];
}

/** A suite of ours, or one of another tool. */
export interface Runnable {
  /** At the newest of its versions. */
  readonly suite: Suite;
  /** The versions to run it with; one, undefined, if none is named. */
  readonly versions: SuiteVersions;
  readonly imported?: Imported;
}

/** `watched` gets every path that is read, so that a failed run can be repeated when one changes. */
export async function runSuites(
  args: Args<"allow-outside" | "autogen" | "color" | "quiet" | "run">,
  options: RunOptions,
  watched: Set<string>,
  io: Io,
): Promise<SuitesRun> {
  const { suites, unread: broken } = await readSuites(args, watched, io);
  const total = suites.reduce(
    (sum, { suite, versions, imported }) =>
      sum + (suite.cases.length + (imported?.skipped.length ?? 0)) * versions.length,
    0,
  );
  const progress = startProgress("testing", args, io);
  const results: SuiteResult[] = [];
  let done = 0;
  let failed = false;
  try {
    const { observe, ...always } = options;
    const runs = suites.flatMap((found) => found.versions.map((version) => runnableAt(found, version)));
    for (const { suite, imported, isNewest } of runs) {
      const settings: RunOptions = {
        ...always,
        // Coverage is that of the newest version.
        ...(observe && isNewest && { observe }),
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
  const rejected = results.filter(({ issues }) => issues.length > 0);
  const unread = [...broken, ...rejected.flatMap(({ issues }) => issues.map(unreadSuite))];
  const ran = results.filter(({ issues }) => issues.length === 0);
  if (rejected.length > 0 && (ran.length === 0 || args.shared.on("strict-files"))) throw badInput(unread, io, args);
  if (options.run !== undefined && results.every(({ cases }) => cases.length === 0)) {
    throw new UsageError(
      `--run "${args.text("run")}" matches none of ${total} cases`,
      "the pattern is matched against suite/case",
    );
  }
  if (!args.on("quiet")) io.err.write(skippedNotes(suites.flatMap(({ imported }) => imported ?? [])));
  const imported = suites.reduce(
    (sum, { imported: foreign, versions }) => sum + (foreign?.skipped.length ?? 0) * versions.length,
    0,
  );
  // Green for having tested nothing would be a lie.
  if (total > 0 && imported === total) {
    throw new UsageError(`none of ${total} cases could be run`, "they use features that an API server does not have");
  }
  return { results: ran, rejected, unread };
}

export async function readSuites(
  args: Args<"allow-outside" | "autogen" | "color">,
  watched: Set<string>,
  io: Io,
  requested: RequestedVersions = requestedVersions(args),
): Promise<ReadSuites> {
  const versionsOf = versionsFor(requested);
  const paths = args.positionals.length === 0 ? ["."] : args.positionals;
  for (const path of paths) watched.add(path.replace(/\/?\.\.\.$/, "") || ".");
  const found = await findSuites(paths, io, await exclusionsOf(args, io));
  const { suites: sources, foreign, issues } = found;
  for (const { origin } of [...sources, ...foreign]) watched.add(origin.file);
  if (sources.length + foreign.length === 0) {
    if (issues.length > 0) throw badInput(issues, io, args);
    throw new UsageError(`no test suites in ${paths.join(", ")}`, `write one, such as\n\n${EXAMPLE_SUITE}`);
  }
  const suites: Runnable[] = [];
  const unread: SourceIssue[] = [...issues];
  for (const source of sources) {
    const loader = new DiskLoader(await reachOf(source.origin.file, io, args.on("allow-outside")));
    const { suite, issues } = await readSuite(source, loader, { autogen: args.on("autogen") });
    for (const file of loader.files) watched.add(file);
    if (suite !== undefined) suites.push(runnableOf(suite, versionsOf(suite)));
    pushAll(unread, issues.map(unreadSuite));
  }
  for (const source of foreign) {
    const { imported, issues } = await readForeign(source, watched, args, io);
    if (imported !== undefined) suites.push({ ...runnableOf(imported.suite, versionsOf(imported.suite)), imported });
    pushAll(unread, issues.map(unreadSuite));
  }
  const ends = suites.length === 0 || args.shared.on("strict-files");
  if (ends && unread.length > 0) throw badInput(unread, io, args);
  return { suites, unread };
}

function runnableOf(suite: Suite, versions: SuiteVersions): Runnable {
  return { suite: suiteAt(suite, versions.at(-1)), versions };
}

function runnableAt(
  { suite, imported, versions }: Runnable,
  version: Minor | undefined,
): Pick<Runnable, "suite" | "imported"> & { readonly isNewest: boolean } {
  const there = suiteAt(suite, version);
  const isNewest = version === versions.at(-1);
  return { suite: there, isNewest, ...(imported && { imported: { ...imported, suite: there } }) };
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

/** A problem of a suite as one of an input: the suite counts as unreadable. */
function unreadSuite({ code: _, ...issue }: SuiteIssue): SourceIssue {
  return { code: "suite", ...issue };
}
