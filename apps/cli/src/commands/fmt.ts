// `celadon fmt`: lays out the CEL in YAML files. Everything else of a file stays as it is, byte for byte.

import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { type FormatIssue, formatManifestText } from "../fmt/format-manifest.ts";
import { pathsOf } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";
import type { Result } from "../output/answer.ts";
import { frame } from "../output/frame.ts";
import { writeAnswer, writeFiles } from "../output/write.ts";
import { decodeSource, FILE_BYTES } from "../sources/decode.ts";
import { findFiles } from "../sources/find.ts";
import { showIssues } from "../sources/index.ts";
import { type SourceIssue, STDIN } from "../sources/issue.ts";
import { SourceText } from "../sources/source-text.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  { name: "check", help: "write nothing, and exit with 1 when a file would change" },
  { name: "width", value: "COLUMNS", help: "how long a line may become", fallback: "80" },
];

export const command: Command = {
  name: "fmt",
  summary: "lay out the CEL expressions in YAML files",
  usage: "PATH… [flags]",
  about: `Formats expressions of policies, webhook match conditions, CRD rules and certificate policies in place. Comments, order, quotes
and every other byte of the file stay as they are, and formatting twice changes nothing more. With - the formatted text of
standard input goes to standard output.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "all files below a directory", line: "celadon fmt policies/" },
    { what: "in CI", line: "celadon fmt --check policies/" },
    { what: "from an editor", line: "celadon fmt - < policy.yaml" },
  ],
  run: fmt,
};

interface FormattedFile {
  readonly file: string;
  readonly source: SourceText;
  readonly text: string;
  readonly changed: number;
  readonly issues: readonly FormatIssue[];
}

async function fmt(args: Args, io: Io): Promise<ExitCode> {
  const paths = pathsOf(args);
  if (paths.length === 0) throw new UsageError("nothing to format", "name files or directories: celadon fmt .");
  const width = args.number("width", { min: 20, max: 1000 }) ?? 80;
  const found = await findFiles(paths, "celadon fmt -", io);
  const broken: SourceIssue[] = [...found.issues];
  const files: FormattedFile[] = [];
  for (const { path } of found.files) {
    io.signal.throwIfAborted();
    const source = await readSource(path, io);
    if ("code" in source) broken.push(source);
    else files.push(formatted(path, source, width));
  }
  // A file that cannot be read is no reason to leave the others half done: nothing is written.
  if (broken.length > 0) {
    io.err.write(showIssues(broken));
    throw new UsageError(broken.length === 1 ? "one input cannot be used" : `${broken.length} inputs cannot be used`);
  }
  const check = args.on("check");
  if (found.files.some(({ path }) => path === STDIN) && !check) return toStandardOutput(files, args, io);
  const changes = files.filter(({ changed }) => changed > 0);
  if (!check && changes.length > 0) await writeFiles(new Map(changes.map(({ file, text }) => [file, text])), io);
  return writeAnswer(answerOf(files, check), args, io);
}

interface MarkedSource {
  /** The byte order mark, which stays where it is. */
  readonly mark: string;
  readonly source: SourceText;
}

function formatted(file: string, { mark, source }: MarkedSource, width: number): FormattedFile {
  const result = formatManifestText(source.text, { file, width });
  return { file, source, ...result, text: mark + result.text };
}

async function readSource(path: string, io: Io): Promise<MarkedSource | SourceIssue> {
  try {
    const bytes = path === STDIN ? await io.stdin(FILE_BYTES) : await io.files.read(path);
    const source = decodeSource(path, bytes);
    if (!(source instanceof SourceText)) return source;
    if (bytes[0] === 0xef) return { mark: bytes[1] === 0xbb && bytes[2] === 0xbf ? "\ufeff" : "", source };
    // Only UTF-16 begins with a byte that UTF-8 never has.
    if (bytes[0] === 0xff || bytes[0] === 0xfe) return { code: "encoding", file: path, ...UTF_16 };
    return { mark: "", source };
  } catch (error) {
    return { code: "unreadable", file: path, message: error instanceof Error ? error.message : String(error) };
  }
}

const UTF_16 = { message: "UTF-16, and formatting writes UTF-8", hint: "convert it first: iconv -t utf-8" };

function toStandardOutput(files: readonly FormattedFile[], args: Args, io: Io): ExitCode {
  if (files.length > 1) throw new UsageError("- stands for standard input, and goes alone");
  if (args.list("output").length > 0)
    throw new UsageError("the formatted text goes to standard output", "leave out -o");
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

function answerOf(files: readonly FormattedFile[], check: boolean): Parameters<typeof writeAnswer>[0] {
  const changed = files.filter((one) => one.changed > 0);
  const failed = hasErrors(files);
  const results = files.map(({ file, changed: count, issues }): Result => {
    const error = issues.find(({ severity }) => severity === "error");
    const level = error ? "error" : check && count > 0 ? "fail" : "pass";
    const message = error?.message ?? (check && count > 0 ? `${expressions(count)} to be formatted` : "");
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
      const lines = changed.map(({ file, changed: count }) => `${file}: ${expressions(count)}`);
      const word = check ? "would change" : "formatted";
      const tally = `${files.length} ${files.length === 1 ? "file" : "files"}, ${changed.length} ${word}`;
      const good = !failed && (!check || changed.length === 0);
      return `${[issuesText(files).trimEnd(), ...lines, good ? paint.green(tally) : paint.red(tally)].filter(Boolean).join("\n")}\n`;
    },
    table: { columns: ["FILE", "CHANGED"], rows: files.map((one) => [one.file, String(one.changed)]) },
    exit: failed ? EXIT.usage : check && changed.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

const expressions = (count: number): string => (count === 1 ? "one expression" : `${count} expressions`);
