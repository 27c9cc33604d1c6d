// `celadon completion SHELL`: a completion script, generated from the tables of the commands.

import { nearestName } from "@celadon/base";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { type Shape, shapeOf } from "../completion/shape.ts";
import { zshScript } from "../completion/zsh.ts";
import type { Command, CommandEntry } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit.ts";

const SCRIPTS = new Map<string, (shape: Shape) => string>([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
]);
const SHELLS = [...SCRIPTS.keys()];

/** The table is given: it has this verb in it. */
export const completionCommand = (verbs: readonly CommandEntry[]): Command => ({
  name: "completion",
  summary: "print a shell completion script",
  usage: "bash|zsh|fish",
  about: "The script completes commands and flags. Source it, or save it where your shell looks for completions.",
  options: [],
  examples: [
    { what: "bash, in ~/.bashrc", line: "source <(celadon completion bash)" },
    { what: "zsh, in ~/.zshrc after compinit", line: "source <(celadon completion zsh)" },
    { what: "fish", line: "celadon completion fish > ~/.config/fish/completions/celadon.fish" },
  ],
  positionals: SHELLS,
  plain: true,
  run: async (args, io) => {
    const [shell, ...more] = args.positionals;
    if (shell === undefined) throw new UsageError("no shell given", `one of: ${SHELLS.join(", ")}`);
    if (more.length > 0) throw new UsageError(`one shell at a time: found "${more[0]}" after "${shell}"`);
    const script = SCRIPTS.get(shell);
    if (script === undefined) {
      const guess = nearestName(shell, SHELLS);
      throw new UsageError(
        `no completion for "${shell}"${guess === undefined ? "" : `; did you mean ${guess}?`}`,
        `one of: ${SHELLS.join(", ")}`,
      );
    }
    const commands = await Promise.all(verbs.map(async (verb) => (await verb.load()).command));
    io.out.write(script(shapeOf(commands)));
    return EXIT.ok;
  },
});
