// `celadon version`: the version, and the Kubernetes versions it emulates. `celadon --version` is main.ts's own, without loading this.

import { CURRENT, FIRST } from "@celadon/kube-cel";
import type { CommandReport } from "../output/answer.ts";
import { writeAnswer } from "../output/write.ts";
import { type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT } from "../program/exit.ts";
import { VERSION } from "../program/version.ts";

const OPTIONS = [] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "version",
  summary: "show the version and the Kubernetes versions it supports",
  usage: "[flags]",
  about: "`celadon --version` prints only the first line, and is faster.",
  options: OPTIONS,
  examples: [{ what: "print JSON", line: "celadon version -o json" }],
  run: (args, io) => writeAnswer(answer(), args, io),
});

function answer(): CommandReport {
  return {
    results: [],
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "Version",
      version: VERSION,
      kubernetes: { first: FIRST, current: CURRENT },
    },
    text: () => `celadon ${VERSION}\nemulates Kubernetes ${FIRST} to ${CURRENT}, by default ${CURRENT}\n`,
    table: { columns: ["celadon", "kubernetes"], rows: [[VERSION, `${FIRST}..${CURRENT}`]] },
    exit: EXIT.ok,
  };
}
