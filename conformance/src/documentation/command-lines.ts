// Command lines that a page only mentions, in prose, shell scripts and workflow files: their verbs and flags must be there.

import { findVerb } from "../../../apps/cli/src/args/find-verb.ts";
import { parseFlags } from "../../../apps/cli/src/args/parse.ts";
import { verbs } from "../../../apps/cli/src/commands/index.ts";
import { optionsOf } from "../../../apps/cli/src/inputs/options.ts";
import { parseTargets } from "../../../apps/cli/src/output/targets.ts";

/** The words after `celadon` of every call of the command in a piece of shell. */
export function callsIn(script: string): readonly (readonly string[])[] {
  return commandsIn(script).flatMap((words) => {
    const start = ["npx", "--yes"].reduce((at, word) => (words[at] === word ? at + 1 : at), 0);
    if (words[start] === "celadon") return [words.slice(start + 1)];
    return words.slice(0, 4).join(" ") === "npm run celadon --" ? [words.slice(4)] : [];
  });
}

/** Undefined when the verb exists and takes these flags. */
export async function wrongWith(argv: readonly string[]): Promise<string | undefined> {
  if (argv.length === 1 && argv[0] === "--version") return undefined;
  try {
    const { verb, rest } = findVerb(argv, verbs);
    const { command } = await verb.load();
    const args = parseFlags(optionsOf(command), rest);
    if (command.plain !== true) parseTargets(args);
    return undefined;
  } catch (error) {
    return `celadon ${argv.join(" ")}: ${(error as Error).message}`;
  }
}

/** Commands with their words: quotes taken off, comments left out, cut at pipes and the like. */
function commandsIn(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const token = /\\\n|[ \t]+|#[^\n]*|&&|\|\||<\(|[|;&\n<>()]|(?:'[^']*'|"(?:\\.|[^"])*"|\\.|[^\s|;&<>()'"\\])+/g;
  for (const [text] of script.matchAll(token)) {
    if (text === "\\\n" || /^[ \t#]/.test(text)) continue;
    if (/^(?:&&|\|\||<\(|[|;&\n<>()])$/.test(text)) commands.push([]);
    else commands.at(-1)!.push(text.replaceAll(/'([^']*)'|"((?:\\.|[^"])*)"/g, (_, a, b) => a ?? b));
  }
  return commands.filter((words) => words.length > 0);
}
