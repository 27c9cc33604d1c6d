// Arguments → command → exit code, without a process: finds the command, reads its flags, and turns exceptions into messages.

import { joinLines, thrownText } from "@celadon/base";
import { findVerb } from "./args/find-verb.ts";
import { parseFlags } from "./args/parse.ts";
import { verbs } from "./commands/index.ts";
import { optionsOf } from "./inputs/options.ts";
import { oneLine, screened } from "./output/visible.ts";
import type { Args, Command, CommandEntry } from "./program/command.ts";
import { EXIT, type ExitCode, InputError, UsageError } from "./program/exit.ts";
import type { Io, Sink } from "./program/io.ts";

export async function run(argv: readonly string[], raw: Io, table: readonly CommandEntry[] = verbs): Promise<ExitCode> {
  const io: Io = { ...raw, err: screenedSink(raw.err) };
  let name = "";
  try {
    const { verb, rest } = findVerb(argv, table);
    name = verb.name;
    const { command } = await verb.load();
    const given = parseFlags(optionsOf(command), rest, command.positionals === "files");
    if (given.on("help")) {
      const { helpFor } = await import("./help/help-for.ts");
      io.out.write(helpFor(command));
      return EXIT.ok;
    }
    if (command.plain !== true) {
      const { parseTargets } = await import("./output/targets.ts");
      parseTargets(given); // a wrong format is reported before any work
    }
    return await command.run(await configured(given, command, io), io);
  } catch (error) {
    if (io.signal.aborted) throw error;
    if (error instanceof UsageError) return usageError(error, name, io);
    return internalError(error, io);
  }
}

/** With the values of celadon.yaml, for commands that read manifests. */
async function configured(args: Args, command: Command, io: Io): Promise<Args> {
  if (!command.options.some(({ name }) => name === "config")) return args;
  const { configurationOf } = await import("./configuration/configuration.ts");
  const configuration = await configurationOf(args, io);
  if (configuration === undefined) return args;
  const { configuredArgs } = await import("./configuration/configured-args.ts");
  return configuredArgs(args, command, configuration);
}

/** Messages besides the answer are for people, and may contain text from others. */
function screenedSink(sink: Sink): Sink {
  return {
    isTerminal: sink.isTerminal,
    get columns() {
      return sink.columns;
    },
    write: (text) => sink.write(screened(text)),
    control: (sequence) => sink.control(sequence),
  };
}

function usageError(error: UsageError, verb: string, io: Io): ExitCode {
  io.err.write(`celadon: ${oneLine(error.message)}\n`);
  if (error.hint !== undefined) io.err.write(`  help: ${error.hint.replaceAll("\n", "\n  ")}\n`);
  if (verb !== "" && !(error instanceof InputError)) io.err.write(`  help: see \`celadon ${verb} --help\`\n`);
  return EXIT.usage;
}

/** A bug of ours: one line, and how to report it. */
export function internalError(error: unknown, { err: raw, env }: Pick<Io, "env" | "err">): ExitCode {
  const err = screenedSink(raw);
  const message = thrownText(error);
  err.write(`celadon: internal error: ${oneLine(joinLines(message))}\n`);
  err.write("  help: please report this with the command you ran");
  if ((env.CELADON_DEBUG ?? "") === "") err.write("; CELADON_DEBUG=1 adds a stack trace\n");
  else err.write(`\n${error instanceof Error ? callsOf(error) : ""}`);
  return EXIT.internal;
}

/** The calls at which an error was thrown. The message, which a stack begins with, may have lines that look like anything. */
function callsOf({ stack = "" }: Error): string {
  const calls = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  return calls.map((line) => `${line}\n`).join("");
}
