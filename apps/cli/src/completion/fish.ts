// Completion for fish.

import type { Option } from "../program/command.ts";
import { quoted, type Shape, type VerbShape } from "./shape.ts";

export function fishScript({ words, groups, verbs }: Shape): string {
  const lines = [
    ...words.map(([word, summary]) => completion("__celadon_words 0", `-a ${word} -d ${text(summary)}`)),
    ...[...groups].flatMap(([first, seconds]) =>
      seconds.map(([word, summary]) => completion(`__celadon_verb ${first}`, `-a ${word} -d ${text(summary)}`)),
    ),
    ...verbs.flatMap(verbLines),
  ];
  return `# fish completion for celadon: celadon completion fish | source

# So many words before the cursor, the command apart.
function __celadon_words
    test (count (commandline -opc)) -eq (math $argv[1] + 1)
end

# The words after the command begin with these.
function __celadon_verb
    set -l words (commandline -opc)
    set -e words[1]
    for i in (seq (count $argv))
        test "$words[$i]" = "$argv[$i]"; or return 1
    end
end

complete -c celadon -f
${lines.join("\n")}
`;
}

const text = (value: string): string => quoted(value.replaceAll("\\", "\\\\"), "\\'");

const completion = (condition: string, rest: string): string => `complete -c celadon -n ${text(condition)} ${rest}`;

function verbLines({ name, options, positionals }: VerbShape): string[] {
  const condition = `__celadon_verb ${name}`;
  const rest = positionals === "files" ? ["-F"] : positionals.length > 0 ? [`-a ${text(positionals.join(" "))}`] : [];
  return [...options.map(optionText), ...rest].map((line) => completion(condition, line));
}

function optionText({ name, short, value, choices, help }: Option): string {
  const letter = short === undefined ? "" : ` -s ${short}`;
  const argument =
    value === undefined
      ? ""
      : choices === "files"
        ? " -r -F"
        : ` -x${choices === undefined ? "" : ` -a ${text(choices.join(" "))}`}`;
  return `-l ${name}${letter}${argument} -d ${text(help)}`;
}
