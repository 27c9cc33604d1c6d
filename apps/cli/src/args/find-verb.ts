// Finds the command that the first words name: one word, or two (`crd upgrade`).

import { nearestName } from "@celadon/base";
import type { CommandEntry } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export interface FoundCommand {
  readonly verb: CommandEntry;
  /** The words after the command's name. */
  readonly rest: readonly string[];
}

/** No words, a flag for help, and the first word of verbs with two (`celadon crd`) mean `help`, which every table has. */
export function findVerb(argv: readonly string[], verbs: readonly CommandEntry[]): FoundCommand {
  const [first, second] = argv;
  const named = (name: string): CommandEntry | undefined => verbs.find((verb) => verb.name === name);
  const help = (...rest: string[]): FoundCommand => ({ verb: named("help")!, rest });
  if (first === undefined) return help();
  if (first === "-h" || first === "--help") return help(...argv.slice(1).filter((word) => !word.startsWith("-")));
  if (first.startsWith("-")) {
    throw new UsageError(
      `the command must come before its flags: found "${first}"`,
      "`celadon help` lists the commands",
    );
  }
  const two = second === undefined ? undefined : named(`${first} ${second}`);
  if (two !== undefined) return { verb: two, rest: argv.slice(2) };
  const item = named(first);
  if (item !== undefined) return { verb: item, rest: argv.slice(1) };

  const group = verbs.filter((verb) => verb.name.startsWith(`${first} `)).map((verb) => verb.name.split(" ")[1]!);
  if (group.length > 0) {
    if (second === undefined || second.startsWith("-")) return help(first);
    throw unknown(`${first} ${second}`, nearestName(second, group), `one of: ${group.join(", ")}`);
  }
  const words = [...new Set(verbs.map((verb) => verb.name.split(" ")[0]!))];
  throw unknown(first, nearestName(first, words), "`celadon help` lists the commands");
}

function unknown(what: string, guess: string | undefined, hint: string): UsageError {
  return new UsageError(`unknown command "${what}"${guess === undefined ? "" : `; did you mean "${guess}"?`}`, hint);
}
