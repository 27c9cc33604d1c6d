// `celadon version`: what this is and which Kubernetes it decides as. `celadon --version` is main.ts's own, without loading this.

import { CURRENT, FIRST } from "@celadon/kube-cel";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import type { Answer } from "../output/answer.ts";
import { writeAnswer } from "../output/write.ts";
import { VERSION } from "../version.ts";

export const command: Command = {
  name: "version",
  summary: "show the version, and the Kubernetes minors it decides as",
  usage: "[flags]",
  about: "`celadon --version` shows the first line alone, and faster.",
  options: [],
  examples: [{ what: "for a script", line: "celadon version -o json" }],
  run: (args, io) => writeAnswer(answer(), args, io),
};

function answer(): Answer {
  return {
    results: [],
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "Version",
      version: VERSION,
      kubernetes: { first: FIRST, current: CURRENT },
    },
    text: () => `celadon ${VERSION}\ndecides as Kubernetes ${CURRENT}, knows ${FIRST} to ${CURRENT}\n`,
    table: { columns: ["celadon", "kubernetes"], rows: [[VERSION, `${FIRST}..${CURRENT}`]] },
    exit: EXIT.ok,
  };
}
