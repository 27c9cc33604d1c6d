// Arguments → verb → exit code, without a process: finds the verb, reads its flags, and turns what it throws into words.

import { nearest } from "./args/nearest.ts";
import { parseFlags } from "./args/parse.ts";
import { type Verb, verbs } from "./commands/index.ts";
import { EXIT, type ExitCode, UsageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { optionsOf } from "./options.ts";

export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let name = "";
  try {
    const { verb, rest } = findVerb(argv);
    name = verb.name;
    const { command } = await verb.load();
    const args = parseFlags(optionsOf(command), rest);
    if (args.on("help")) {
      const { helpFor } = await import("./help/help-for.ts");
      io.out.write(helpFor(command));
      return EXIT.ok;
    }
    if (command.plain !== true) {
      const { parseTargets } = await import("./output/targets.ts");
      parseTargets(args); // a wrong format is said before any work
    }
    return await command.run(args, io);
  } catch (error) {
    if (io.signal.aborted) throw error;
    if (error instanceof UsageError) return usageError(error, name, io);
    return internalError(error, io);
  }
}

/** The verb that the first words name, and what follows it. Nothing, or a flag for help, means `help`. */
function findVerb(argv: readonly string[]): { readonly verb: Verb; readonly rest: readonly string[] } {
  const [first, second] = argv;
  const named = (name: string): Verb | undefined => verbs.find((verb) => verb.name === name);
  const help = named("help")!;
  if (first === undefined) return { verb: help, rest: [] };
  if (first === "-h" || first === "--help")
    return { verb: help, rest: argv.slice(1).filter((word) => word[0] !== "-") };
  if (first.startsWith("-")) {
    throw new UsageError(`the verb comes before its flags: found "${first}"`, "try `celadon help`");
  }
  const two = second === undefined ? undefined : named(`${first} ${second}`);
  if (two !== undefined) return { verb: two, rest: argv.slice(2) };
  const one = named(first);
  if (one !== undefined) return { verb: one, rest: argv.slice(1) };

  const group = verbs.filter((verb) => verb.name.startsWith(`${first} `)).map((verb) => verb.name.split(" ")[1]!);
  if (group.length > 0) {
    if (second === undefined || second.startsWith("-")) return { verb: help, rest: [first] };
    throw unknown(`"${first} ${second}"`, nearest(second, group), `one of: ${group.join(", ")}`);
  }
  const words = [...new Set(verbs.map((verb) => verb.name.split(" ")[0]!))];
  throw unknown(`"${first}"`, nearest(first, words), "`celadon help` lists the verbs");
}

function unknown(what: string, guess: string | undefined, hint: string): UsageError {
  return new UsageError(`unknown verb ${what}${guess === undefined ? "" : `; did you mean "${guess}"?`}`, hint);
}

function usageError(error: UsageError, verb: string, io: Io): ExitCode {
  io.err.write(`celadon: ${error.message}\n`);
  if (error.hint !== undefined) io.err.write(`  ${error.hint.replaceAll("\n", "\n  ")}\n`);
  if (verb !== "") io.err.write(`  see \`celadon ${verb} --help\`\n`);
  return EXIT.usage;
}

/** A mistake of ours: one line, and how to say it to us. */
export function internalError(error: unknown, io: Io): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  io.err.write(`celadon: internal error: ${message.replaceAll(/\s*\n\s*/g, " ")}\n`);
  io.err.write("  please report it with what you ran");
  if ((io.env.CELADON_DEBUG ?? "") === "") io.err.write("; CELADON_DEBUG=1 shows where it happened\n");
  else io.err.write(`\n${error instanceof Error ? error.stack : ""}\n`);
  return EXIT.internal;
}
