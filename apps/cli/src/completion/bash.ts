// Completion for bash, 3.2 as on macOS included: words by compgen, files by the shell itself.

import type { Option } from "../program/command.ts";
import { namesOf, quoted, type Shape, type VerbShape } from "./shape.ts";

export function bashScript({ words, groups, verbs }: Shape): string {
  const wordsText = words.map(([word]) => word).join(" ");
  const groupCases = [...groups].map(
    ([first, seconds]) => `    ${first})
      if [ "$COMP_CWORD" -eq 2 ]; then _celadon_words ${quoted(seconds.map(([word]) => word).join(" "))}; return; fi
      verb="$verb \${COMP_WORDS[2]}" ;;
`,
  );
  return `# bash completion for celadon: source <(celadon completion bash)

_celadon_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

# Something is expected that nobody can list: no words, and no files either.
_celadon_nothing() {
  COMPREPLY=()
  compopt +o default 2>/dev/null
}

_celadon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" verb="\${COMP_WORDS[1]}"
  # --flag=value comes in three words.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then _celadon_words ${quoted(`${wordsText} --help --version`)}; return; fi
${groupCases.length === 0 ? "" : `  case "$verb" in\n${groupCases.join("")}  esac\n`}  case "$verb" in
${verbs.map(verbCase).join("")}  esac
}

complete -o bashdefault -o default -F _celadon celadon
`;
}

function verbCase({ name, options, positionals }: VerbShape): string {
  const valued = options.filter(({ value }) => value !== undefined);
  const flags = options.flatMap(namesOf).join(" ");
  const rest = positionals === "files" ? "" : `_celadon_words ${quoted(positionals.join(" "))}`;
  return `    ${quoted(name)})
      case "$previous" in
${valued.map(valueCase).join("")}      esac
      case "$current" in
        -*) _celadon_words ${quoted(flags)} ;;
        *) ${positionals.length === 0 ? "_celadon_nothing" : rest} ;;
      esac ;;
`;
}

function valueCase(option: Option): string {
  const { choices } = option;
  const action =
    choices === undefined
      ? "_celadon_nothing; "
      : choices === "files"
        ? ""
        : `_celadon_words ${quoted(choices.join(" "))}; `;
  return `        ${namesOf(option).join("|")}) ${action}return ;;\n`;
}
