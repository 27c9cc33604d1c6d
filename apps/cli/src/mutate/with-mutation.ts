// The answer of `test` with mutation testing: its text, its table, its part of the document, and a failure when too few changes are
// noticed. Tests that fail notice nothing, so that it waits until they pass.

import type { Suite, SuiteEdit } from "@celadon/testing";
import {
  type MutantResult,
  type MutationReport,
  mutationDocument,
  mutationReport,
  PolicyMutation,
  runMutation,
  survivorsOf,
} from "@celadon/testing/mutate";
import type { CommandReport, ReportRow, Table } from "../output/answer.ts";
import { wholeText } from "../output/pieces.ts";
import { startProgress } from "../output/progress.ts";
import { remark } from "../output/say.ts";
import type { Args } from "../program/command.ts";
import { EXIT } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { patternOf } from "../suites/run-suites.ts";
import { requestedVersions } from "../suites/versions.ts";
import { changeText, mutationText, scoreText, witnessYaml } from "./mutation-text.ts";
import type { MutateSettings } from "./options.ts";
import { openPool, threadsFor } from "./pool.ts";
import { suiteKey } from "./tasks.ts";

export interface MutatedSuites {
  readonly settings: MutateSettings;
  readonly suites: readonly Suite[];
  /** Those to which the cases that would detect more are added. */
  readonly growing: readonly Suite[];
}

export async function withMutation(
  answer: CommandReport,
  { settings, suites, growing }: MutatedSuites,
  args: Args<"allow-outside" | "autogen" | "quiet" | "run" | "verbose">,
  io: Io,
): Promise<CommandReport> {
  if (answer.exit !== EXIT.ok) {
    io.err.write("celadon: mutation testing skipped: the tests must pass first\n");
    return answer;
  }
  const report = await mutate(settings, suites, args, io);
  const below = belowThreshold(report, settings);
  if (below !== undefined) remark(io, `celadon: ${below.message}`);
  for (const { file, count } of await addOffered(report, growing, io)) {
    remark(io, `added ${count} ${count === 1 ? "case" : "cases"} to ${file}; the next run shows the new score`);
  }
  return {
    results: [...answer.results, ...survivorsOf(report).map(survivorRow), ...(below ? [below] : [])],
    get document() {
      return { ...answer.document, mutation: mutationDocument(report) };
    },
    text: (paint) => `${wholeText(answer.text(paint))}\n${mutationText(report, args.on("verbose"), paint)}`,
    table: tableOf(report),
    exit: below === undefined ? EXIT.ok : EXIT.failed,
  };
}

/** Adds the cases that would have detected changes to their suites, each once. */
async function addOffered(
  report: MutationReport,
  suites: readonly Suite[],
  io: Io,
): Promise<readonly { readonly file: string; readonly count: number }[]> {
  const { applyEdits, LAST } = await import("../suites/update-file.ts");
  const found = new Map<Suite, Map<string, SuiteEdit>>();
  for (const { witness } of survivorsOf(report)) {
    if (typeof witness !== "object") continue;
    const suite = suites.find((one) => one.name === witness.suite);
    if (suite === undefined) continue;
    const { name, ...situation } = witness.test;
    const edits = found.get(suite) ?? new Map<string, SuiteEdit>();
    found.set(suite, edits);
    const key = JSON.stringify(situation);
    if (edits.has(key)) continue;
    const names = new Set([...suite.cases.map((one) => one.name), ...[...edits.values()].map(nameOfEdit)]);
    edits.set(key, { path: ["tests", LAST], value: { name: unusedName(String(name), names), ...situation } });
  }
  await applyEdits(
    [...found].map(([suite, edits]) => ({ suite, edits: [...edits.values()] })),
    io,
  );
  return [...found].map(([suite, edits]) => ({ file: suite.origin.file, count: edits.size }));
}

function nameOfEdit({ value }: SuiteEdit): string {
  return (value as { readonly name: string }).name;
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name;
  for (let i = 2; used.has(unused); i++) unused = `${name} (${i})`;
  return unused;
}

async function mutate(
  settings: MutateSettings,
  suites: readonly Suite[],
  args: Args<"allow-outside" | "autogen" | "quiet" | "run">,
  io: Io,
): Promise<MutationReport> {
  const { seed, sample, milliseconds, threads } = settings;
  const run = args.text("run");
  const pattern = patternOf(run);
  const started = io.now();
  const mutation = await PolicyMutation.of(
    suites,
    pattern && ((suite, testCase) => pattern.test(`${suite.name}/${testCase.name}`)),
  );
  const switches = [...SWITCHES.filter((name) => args.on(name)), ...(args.shared.on("gitignore") ? ["gitignore"] : [])];
  const names = suites.map(suiteKey);
  const paths = args.positionals.length === 0 ? ["."] : args.positionals;
  const most = Math.min(mutation.plan.mutants.length, sample ?? Infinity);
  const pool = openPool(
    mutation,
    { paths, switches, excluded: args.shared.list("exclude"), versions: requestedVersions(args), names, run, seed },
    threads ?? threadsFor(most),
    io.signal,
  );
  const progress = startProgress("mutating", args, io);
  try {
    const done = await runMutation(mutation, {
      seed,
      ...(sample !== undefined && { sample }),
      budget: Math.max(0, milliseconds - (io.now() - started)),
      now: io.now,
      signal: io.signal,
      onMutant: (count, total, id) => progress.update(count, total, id),
      pause: pauses(io),
      ...(pool && { performer: pool }),
    });
    return mutationReport(done);
  } finally {
    progress.end();
    await pool?.close();
    io.signal.throwIfAborted();
  }
}

/** The switches that change suites. */
const SWITCHES = ["autogen", "allow-outside"] as const;

const BETWEEN_MS = 50;

/** Now and then a turn for Ctrl-C. */
function pauses(io: Io): () => Promise<void> | undefined {
  let last = io.now();
  return () => {
    if (io.now() - last < BETWEEN_MS) return undefined;
    last = io.now();
    return new Promise((resolve) => setImmediate(resolve));
  };
}

function survivorRow({ mutant, witness }: MutantResult): ReportRow {
  const { id, mutator, resource, place, edit } = mutant;
  return {
    group: "mutation",
    name: id,
    level: "warn",
    rule: `mutation/${mutator}`,
    ruleText: "changes that no test case detects",
    message: `no case detects ${changeText(mutant)}`,
    ...(typeof witness === "object" && { detail: witnessYaml(witness) }),
    ...(place && { place: { file: place.file, line: place.line, column: place.column } }),
    policy: resource.name,
    policyRule: edit.path.join("."),
    system: "test",
  };
}

function belowThreshold({ tally }: MutationReport, { min }: MutateSettings): ReportRow | undefined {
  const { killed, survived } = tally;
  // Without a change that was tried, nothing is known.
  const isReached = killed + survived > 0 && killed * 100 >= min! * (killed + survived);
  if (min === undefined || isReached) return undefined;
  const noticed = `${killed} of ${killed + survived} changes are detected`;
  return {
    group: "mutation",
    name: "total",
    level: "fail",
    rule: "mutation",
    ruleText: "changes that test cases detect",
    message: `${noticed}, ${scoreText(tally)}, below --mutate-min ${min}`,
    system: "test",
  };
}

function tableOf({ results }: MutationReport): Table {
  const rows = results.filter(({ outcome }) => outcome === "survived" || outcome === "killed");
  return {
    columns: ["outcome", "mutator", "place", "change", "by"],
    rows: rows.map(({ outcome, mutant, killedBy, witness }) => [
      outcome,
      mutant.mutator,
      mutant.place === undefined
        ? mutant.resource.name
        : `${mutant.place.file}:${mutant.place.line}:${mutant.place.column}`,
      changeText(mutant),
      killedBy ?? (typeof witness === "object" ? `would: ${witness.difference}` : ""),
    ]),
  };
}
