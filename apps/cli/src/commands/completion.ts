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
const WORDS = "words";

/** The table is given: it has this verb in it. */
export const completionCommand = (verbs: readonly CommandEntry[]): Command => ({
  name: "completion",
  summary: "print a shell completion script",
  usage: "bash|zsh|fish|words [-- WORD…]",
  about: `The script completes commands and flags. Source it, or save it where your shell looks for completions.

\`words\` prints the words that complete a command line, for programs that complete for others: kubectl calls it through
kubectl_complete-celadon, which is installed beside the command.`,
  options: [],
  examples: [
    { what: "bash, in ~/.bashrc", line: "source <(celadon completion bash)" },
    { what: "zsh, in ~/.zshrc after compinit", line: "source <(celadon completion zsh)" },
    { what: "what could stand behind `celadon why deny`", line: 'celadon completion words -- why deny ""' },
    { what: "fish", line: "celadon completion fish > ~/.config/fish/completions/celadon.fish" },
  ],
  positionals: SHELLS,
  plain: true,
  run: async (args, io) => {
    const [shell, ...more] = args.positionals;
    const shape = async (): Promise<Shape> =>
      shapeOf(await Promise.all(verbs.map(async (verb) => (await verb.load()).command)));
    if (shell === WORDS) {
      const { completionOf, completionText } = await import("../completion/words.ts");
      const { clusterNames } = await import("../completion/cluster-names.ts");
      io.out.write(completionText(await completionOf(more, await shape(), (line) => clusterNames(line, io))));
      return EXIT.ok;
    }
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
    io.out.write(script(await shape()));
    return EXIT.ok;
  },
});
