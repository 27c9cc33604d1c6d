// Completion for zsh, by _arguments. Works as a file in $fpath and when sourced.

import type { Option } from "../program/command.ts";
import { namesOf, quoted, type Shape, type VerbShape } from "./shape.ts";

export function zshScript({ words, groups, verbs }: Shape): string {
  const groupCases = [...groups].map(
    ([first, seconds]) => `    ${first})
      if (( CURRENT == 3 )); then _celadon_words ${list(seconds)}; return; fi
      verb="$verb $words[3]"; shift words; (( CURRENT-- )) ;;
`,
  );
  return `#compdef celadon
# zsh completion for celadon: source <(celadon completion zsh), or a file _celadon in $fpath

_celadon_words() {
  local -a shown
  shown=("$@")
  _describe 'verb' shown
}

_celadon() {
  local verb="$words[2]"
  if (( CURRENT == 2 )); then _celadon_words ${list(words)}; return; fi
${groupCases.length === 0 ? "" : `  case "$verb" in\n${groupCases.join("")}  esac\n`}  shift words
  (( CURRENT-- ))
  case "$verb" in
${verbs.map(verbCase).join("")}  esac
}

if [ "$funcstack[1]" = "_celadon" ]; then
  _celadon "$@"
else
  compdef _celadon celadon
fi
`;
}

const list = (entries: readonly (readonly [string, string])[]): string =>
  entries.map(([word, summary]) => quoted(`${word}:${summary.replaceAll(":", "\\:")}`)).join(" ");

function verbCase({ name, options, positionals }: VerbShape): string {
  const rest =
    positionals === "files"
      ? "'*:file:_files'"
      : positionals.length > 0
        ? quoted(`*:argument:(${positionals.join(" ")})`)
        : "";
  const specs = [...options.map(optionSpec), rest].filter((spec) => spec !== "");
  return `    ${quoted(name)})
      _arguments -s \\
        ${specs.join(" \\\n        ")} ;;
`;
}

function optionSpec(option: Option): string {
  const names = namesOf(option);
  const valued = option.value !== undefined;
  // In a specification, brackets end the text and colons part it.
  const help = option.help.replaceAll(/[[\]\\]/g, "\\$&");
  const tail = `[${help}]${valued ? `:${option.value!.replaceAll(":", "\\:")}:${actionOf(option)}` : ""}`;
  const forms = names.map((name) => `${name}${valued ? (name.startsWith("--") ? "=" : "+") : ""}`);
  const once = option.repeatable === true ? "*" : `(${names.join(" ")})`;
  return forms.map((form) => quoted(`${once}${form}${tail}`)).join(" ");
}

function actionOf({ choices }: Option): string {
  return choices === undefined ? " " : choices === "files" ? "_files" : `(${choices.join(" ")})`;
}
