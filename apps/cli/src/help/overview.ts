// `celadon help`: all commands on one screen, or those of a group (`celadon crd`).

import type { CommandEntry } from "../program/command.ts";
import { columns } from "./wrap.ts";

export function overview(verbs: readonly CommandEntry[], group?: string): string {
  const shown = group === undefined ? verbs : verbs.filter((verb) => verb.name.startsWith(`${group} `));
  const rows = shown.map(({ name, summary }) => [name, summary] as const);
  const title = group === undefined ? "CEL admission control for Kubernetes, without a cluster\n\n" : "";
  return `${title}Usage:
  celadon ${group === undefined ? "" : `${group} `}COMMAND [flags]

Commands:
${columns(rows)}
Run \`celadon help COMMAND\` or \`celadon COMMAND --help\` for flags and examples.
`;
}
