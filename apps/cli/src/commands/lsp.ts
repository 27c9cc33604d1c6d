// `celadon lsp`: a language server for editors, over standard input and output.

import process from "node:process";
import { createConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { serve } from "../lsp/server.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { VERSION } from "../program/version.ts";

const OPTIONS = [
  { name: "stdio", help: "use standard input and output; this is the default" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "lsp",
  summary: "run the language server: diagnostics, completion, hover and fixes for CEL in YAML",
  failure: "the editor left without shutting the server down",
  usage: "[flags]",
  about: `Speaks the Language Server Protocol over standard input and output; an editor starts it. It reads the files of the workspace, with open
files as they are in the editor, and sends nothing over the network. See docs/guides/editors.md for VS Code, Neovim, Helix, Zed and
JetBrains.

Settings: kubeVersions, yamlKeys (on, off, auto), verdicts, formatting, folding, commands.`,
  options: OPTIONS,
  plain: true,
  examples: [{ what: "start the server, as editors do", line: "celadon lsp" }],
  run: lsp,
});

async function lsp(_: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const connection = createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
  const isClean = await serve(connection, { files: io.files, version: VERSION });
  return isClean ? EXIT.ok : EXIT.failed;
}
