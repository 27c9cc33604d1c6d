// Writes an answer in every requested format. Each is rendered while it is written, so the text of a long one is never in memory as a
// whole. Files are written before standard output, so a failure to write a file is not hidden behind complete output.

import type { Args } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { VERSION } from "../program/version.ts";
import type { CommandReport } from "./answer.ts";
import { type Format, loadFormat } from "./formats.ts";
import { paintOf, wantsColour } from "./paint.ts";
import { gathered, type Text } from "./pieces.ts";
import { parseTargets, type Target } from "./targets.ts";
import { screened } from "./visible.ts";

/** The others escape by their own rules. */
const FOR_PEOPLE: ReadonlySet<Format> = new Set(["text", "table"]);

/** Writes the answer and gives the exit code, `--warn-exit-code` considered. */
export async function writeAnswer(answer: CommandReport, args: Args<"color" | "output">, io: Io): Promise<ExitCode> {
  const exit = exitOf(answer, args);
  const root = checkoutOf(io);
  const texts: (Target & { readonly text: Text })[] = [];
  for (const target of parseTargets(args)) {
    const shown = target.file === undefined;
    const render = await loadFormat(target.format);
    const coloured = shown && wantsColour(args.text("color"), io.out.isTerminal, io.env);
    const columns = shown && io.out.isTerminal ? io.out.columns : undefined;
    const setting = { paint: paintOf(coloured), columns, version: VERSION, cwd: io.cwd, root };
    const text = render(answer, setting);
    texts.push({ ...target, text: FOR_PEOPLE.has(target.format) ? screenedPieces(text) : text });
  }
  io.signal.throwIfAborted();
  const files = new Map(texts.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const])));
  if (files.size > 0) await writeFiles(files, io);
  for (const { file, text } of texts) {
    if (file === undefined) for (const piece of gathered(text)) io.out.write(piece);
  }
  return exit;
}

function* screenedPieces(text: Text): Generator<string> {
  for (const piece of gathered(text)) yield screened(piece);
}

/** GitHub says where the checkout is, which need not be the directory the command runs in. */
function checkoutOf({ cwd, env }: Io): string {
  const workspace = env.GITHUB_WORKSPACE ?? "";
  return workspace !== "" && `${cwd}/`.startsWith(`${workspace}/`) ? workspace : cwd;
}

function exitOf(answer: CommandReport, { shared }: Pick<Args, "shared">): ExitCode {
  const warned = shared.number("warn-exit-code", { min: 0, max: 255 });
  // Rows may be costly to make: only where they matter.
  if (answer.exit !== EXIT.ok || warned === undefined) return answer.exit;
  for (const { level } of answer.results) if (level === "warn") return warned;
  return EXIT.ok;
}

/** All of them or none, each whole; a usage error when they cannot be written. */
export async function writeFiles(
  texts: ReadonlyMap<string, Text>,
  { files }: Pick<Io, "files">,
  mode?: number,
): Promise<void> {
  try {
    await files.write(texts, mode);
  } catch (error) {
    const { file = [...texts.keys()].join(", ") } = error as { readonly file?: string };
    throw new UsageError(`cannot write "${file}": ${writeFailure(error)}`, "no file was changed");
  }
}

/** For errors of the system about files below a directory; undefined for others. */
export function unwritable(error: unknown, directory: string): UsageError | undefined {
  const { syscall = "", path = directory } = error as NodeJS.ErrnoException;
  if (!FILE_CALLS.has(syscall)) return undefined;
  return new UsageError(`cannot write "${path}": ${writeFailure(error)}`);
}

const FILE_CALLS: ReadonlySet<string> = new Set(["fsync", "mkdir", "open", "rename", "write"]);

export async function writeFile(file: string, text: string, io: Io): Promise<void> {
  await writeFiles(new Map([[file, text]]), io);
}

function writeFailure(error: unknown): string {
  const { code = "", message = String(error) } = error as { readonly code?: string; readonly message?: string };
  return WRITE_FAILURES[code] ?? message;
}

const WRITE_FAILURES: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "disk quota exceeded",
  EISDIR: "is a directory",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the path is too long",
  ENOENT: "its directory cannot be created",
  ENOSPC: "no space left on the device",
  ENOTDIR: "part of the path is not a directory",
  EOUTSIDE: "it leads out of the working directory through a symbolic link",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
