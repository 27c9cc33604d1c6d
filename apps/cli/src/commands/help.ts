// `celadon help [VERB]`.

import { nearestName } from "@celadon/base";
import type { Command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { helpFor } from "../help/help-for.ts";
import { overview } from "../help/overview.ts";
import { verbs } from "./index.ts";

export const command: Command = {
  name: "help",
  summary: "show the verbs, or the help of one",
  usage: "[VERB]",
  about: "Without a verb, all of them in one line each.",
  options: [],
  examples: [
    { what: "all verbs", line: "celadon help" },
    { what: "one verb", line: "celadon help version" },
  ],
  plain: true,
  run: async (args, io) => {
    io.out.write(await helpText(args.positionals.join(" ")));
    return EXIT.ok;
  },
};

async function helpText(name: string): Promise<string> {
  if (name === "") return overview(verbs);
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb !== undefined) return helpFor((await verb.load()).command);
  if (verbs.some((candidate) => candidate.name.startsWith(`${name} `))) return overview(verbs, name);
  const guess = nearestName(
    name,
    verbs.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `no verb "${name}"${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
    "`celadon help` lists the verbs",
  );
}
