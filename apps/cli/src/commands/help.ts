// `celadon help [COMMAND]`.

import { nearestName } from "@celadon/base";
import { helpFor } from "../help/help-for.ts";
import { overview } from "../help/overview.ts";
import type { Command, CommandEntry } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit.ts";

/** The table is given: it has this verb in it. */
export const helpCommand = (verbs: readonly CommandEntry[]): Command => ({
  name: "help",
  summary: "list the commands, or show the help of one",
  usage: "[COMMAND]",
  about: "Without COMMAND, lists all commands.",
  options: [],
  examples: [
    { what: "list all commands", line: "celadon help" },
    { what: "show the help of a command", line: "celadon help version" },
  ],
  plain: true,
  run: async (args, io) => {
    io.out.write(await helpText(args.positionals.join(" "), verbs));
    return EXIT.ok;
  },
});

async function helpText(name: string, verbs: readonly CommandEntry[]): Promise<string> {
  if (name === "") return overview(verbs);
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb !== undefined) return helpFor((await verb.load()).command);
  if (verbs.some((candidate) => candidate.name.startsWith(`${name} `))) return overview(verbs, name);
  const guess = nearestName(
    name,
    verbs.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `unknown command "${name}"${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
    "`celadon help` lists the commands",
  );
}
