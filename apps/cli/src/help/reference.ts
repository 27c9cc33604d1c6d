// docs/reference/command.md, from the tables of the verbs: `npm run docs` writes it, a test says when it is behind.

import type { Command, Option } from "../command.ts";
import { optionsOf } from "../options.ts";
import { EXIT_CODES, optionHelp } from "./help-for.ts";

export function referencePage(commands: readonly Command[]): string {
  const common = optionsOf({ options: [] });
  return `# The command

Generated from the verbs' tables by \`npm run docs\`; do not edit. \`celadon help VERB\` shows the same in a terminal.

${table(
  ["verb", "what it does"],
  commands.map(({ name, summary }) => [`[\`${name}\`](#celadon-${name.replaceAll(" ", "-")})`, summary]),
)}

## Flags of every verb

${optionTable(common)}

\`-o\` is for verbs with an answer; those without one say so below. At most one format goes to standard output; with files only, text goes
there.

## Exit codes

${table(["code", "meaning"], EXIT_CODES)}

Ctrl-C ends with 130, SIGTERM with 143, and nothing is half-written. When the reader of a pipe leaves, the command stops without a word.

## Environment

${table(
  ["variable", "what it does"],
  [
    ["`NO_COLOR`", "no colours, unless `--color always`"],
    ["`CI`", "no progress bar"],
    ["`GITHUB_WORKSPACE`", "the checkout to which `-o github` and `-o sarif` name files"],
    ["`CELADON_DEBUG`", "shows where an internal error happened"],
  ],
)}

${commands.map(section).join("\n")}`;
}

function section(command: Command): string {
  const { name, summary, usage, about, options, examples, plain } = command;
  const parts = [
    `## celadon ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    `\`\`\`\nceladon ${name} ${usage}`.trimEnd().concat("\n```"),
    about,
    plain === true ? "`-o` does not apply." : "",
    options.length === 0 ? "" : optionTable(options),
    examples.length === 0
      ? ""
      : `\`\`\`sh\n${examples.map(({ what, line }) => `# ${what}\n${line}\n`).join("\n")}\`\`\``,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function optionTable(options: readonly Option[]): string {
  return table(
    ["flag", "what it does"],
    options.map((option) => [`\`${flagText(option)}\``, optionHelp(option)]),
  );
}

function flagText({ name, short, value }: Option): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
