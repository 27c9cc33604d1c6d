// `celadon fmt`: lays out the CEL in YAML files. Everything else of a file stays as it is, byte for byte.

import { type FormatIssue, formatManifestText } from "@celadon/language/format";
import { loadOptionsOf, pathsOf, printNotes, reportUnread } from "../inputs/inputs.ts";
import { FILES, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import type { ReportRow } from "../output/answer.ts";
import { diffText } from "../output/diff-text.ts";
import { frame } from "../output/frame.ts";
import { unifiedDiff } from "../output/unified-diff.ts";
import { oneLine } from "../output/visible.ts";
import { writeAnswer, writeFiles } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { type MarkedSource, readSource } from "../sources/editable.ts";
import { findFiles } from "../sources/find/find.ts";
import { type SourceIssue, STDIN } from "../sources/issue.ts";
import { hasTemplateAction, recognisedFiles, TEMPLATE } from "../sources/recognised.ts";
import { SkippedFiles } from "../sources/skipped.ts";
import type { SourceText } from "../sources/source-text.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...READING,
  { name: "check", help: "change nothing; exit with 1 if a file is not formatted" },
  { name: "diff",  help: "change nothing; show what would change as a unified diff" },
  { name: "width", value: "COLUMNS", help: "maximum line length", fallback: "80" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "fmt",
  summary: "format the CEL expressions in YAML files",
  failure: "with --check: a file is not formatted",
  usage: "[-f] PATH… [flags]",
  about: `Formats the expressions of policies, webhook match conditions, CRD rules and certificate policies in place. Everything else in the
file stays as it is, byte for byte: comments, order, quotes. Formatting twice changes nothing more. With -, formats standard input
to standard output. A file that cannot be read is reported, the others are formatted, and the exit code is 2.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "format all files in a directory", line: "celadon fmt policies/" },
    { what: "check the format in CI", line: "celadon fmt --check policies/" },
    { what: "show what would change", line: "celadon fmt --diff policies/" },
    { what: "format standard input", line: "celadon fmt - < policy.yaml" },
  ],
  run: fmt,
});

interface FormattedFile {
  readonly file: string;
  readonly source: SourceText;
  readonly before: string;
  readonly text: string;
  readonly changed: number;
  readonly issues: readonly FormatIssue[];
}

async function fmt(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const paths = pathsOf(args);
  if (paths.length === 0) throw new UsageError("nothing to format", "name files or directories: celadon fmt .");
  const width = args.number("width", { min: 20, max: 1000 }) ?? 80;
  const { strict, exclusion } = await loadOptionsOf("fmt", args, io);
  const found = await findFiles(paths, "celadon fmt -", io, [], exclusion);
  const broken: SourceIssue[] = [...found.issues];
  const skipped = new SkippedFiles();
  const recognised = strict ? new Map() : await recognisedFiles(found.files, io);
  for (const [path, why] of recognised) skipped.add(path, why);
  const files: FormattedFile[] = [];
  const check = args.on("check");
  for (const { path, named } of found.files.filter((file) => !recognised.has(file.path))) {
    io.signal.throwIfAborted();
    const isOther = named && path !== STDIN && (await io.files.kind(path)) === "other";
    const source =
      isOther && !check ? { code: "unreadable" as const, file: path, ...NO_FILE } : await readSource(path, io);
    if ("code" in source) {
      broken.push(source);
      continue;
    }
    const file = formatted(path, source, width);
    if (!named && !strict && isUnrendered(file)) skipped.add(path, TEMPLATE);
    else files.push(file);
  }
  printNotes([...found.notes, ...skipped.notes()], args, io);
  reportUnread(broken, strict || files.length === 0, args, io);
  const diff = args.on("diff");
  if (found.files.some(({ path }) => path === STDIN) && !check && !diff) return toStandardOutput(files, args, io);
  const changes = files.filter(({ changed }) => changed > 0);
  if (!check && !diff && changes.length > 0)
    await writeFiles(new Map(changes.map(({ file, text }) => [file, text])), io);
  return writeAnswer(withUnread(answerOf(files, check, diff), broken), args, io);
}

/** YAML that breaks at an action of a template. */
const isUnrendered = ({ source, issues }: FormattedFile): boolean =>
  issues.some(({ severity, line }) => severity === "error" && hasTemplateAction(source.lineText(line) ?? ""));

function formatted(file: string, { mark, source }: MarkedSource, width: number): FormattedFile {
  const result = formatManifestText(source.text, { file, width });
  return { file, source, before: mark + source.text, ...result, text: mark + result.text };
}

const NO_FILE = {
  message: "is not a file, so it cannot be formatted in place",
  hint: "celadon fmt - formats standard input",
};
function toStandardOutput(files: readonly FormattedFile[], args: ArgsOf<typeof OPTIONS>, io: Io): ExitCode {
  if (files.length > 1) throw new UsageError("- (standard input) cannot be combined with files");
  if (args.list("output").length > 0)
    throw new UsageError("-o cannot be used with -: the formatted text goes to standard output", "omit -o");
  const [file] = files;
  io.err.write(issuesText(files));
  if (file !== undefined) io.out.write(file.text);
  return hasErrors(files) ? EXIT.usage : EXIT.ok;
}

const hasErrors = (files: readonly FormattedFile[]): boolean =>
  files.some(({ issues }) => issues.some(({ severity }) => severity === "error"));

function issuesText(files: readonly FormattedFile[]): string {
  return files
    .flatMap(({ source, issues }) =>
      issues.map(({ file, line, column, message }) =>
        frame({ file, line, column, message, text: (number) => source.lineText(number) }),
      ),
    )
    .join("");
}

function answerOf(files: readonly FormattedFile[], check: boolean, diff: boolean): Parameters<typeof writeAnswer>[0] {
  const changed = files.filter((file) => file.changed > 0);
  const failed = hasErrors(files);
  const results = files.map(({ file, changed: count, issues }): ReportRow => {
    const error = issues.find(({ severity }) => severity === "error");
    const level = error ? "error" : check && count > 0 ? "fail" : "pass";
    const message = error?.message ?? (check && count > 0 ? `${expressions(count)} not formatted` : "");
    const place = { file, line: error?.line ?? 1, column: error?.column ?? 1 };
    return { group: file, name: file, level, rule: "fmt/layout", message, place, system: "fmt" };
  });
  return {
    results,
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "FormatReport",
      files: files.map(({ file, changed: count, issues }) => ({ file, changed: count, issues })),
    },
    text: (paint) => {
      const lines = changed.map(({ file, before, text, changed: count }) =>
        diff ? diffText(unifiedDiff(before, text, oneLine(file)), paint) : `${oneLine(file)}: ${expressions(count)}`,
      );
      const word = check || diff ? "would change" : "formatted";
      const tally = `${files.length} ${files.length === 1 ? "file" : "files"}, ${changed.length} ${word}`;
      const good = !failed && (!check || changed.length === 0);
      return `${[issuesText(files).trimEnd(), ...lines, good ? paint.green(tally) : paint.red(tally)].filter(Boolean).join("\n")}\n`;
    },
    table: { columns: ["FILE", "CHANGED"], rows: files.map((file) => [file.file, String(file.changed)]) },
    exit: failed ? EXIT.usage : check && changed.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

const expressions = (count: number): string => (count === 1 ? "one expression" : `${count} expressions`);
