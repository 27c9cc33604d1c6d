// The extension: starts the server that comes with it, and runs the command in a terminal. All that is known of documents comes from
// the server.

// biome-ignore lint/correctness/noUndeclaredDependencies: VS Code has it, and nobody else
import * as vscode from "vscode";
import { type Executable, LanguageClient } from "vscode-languageclient/node";
import { commandLine } from "./command-line.ts";
import { explainArguments, type Outlined } from "./explain-arguments.ts";

const LANGUAGES = ["yaml", "json"];
const SCHEMES = ["file", "untitled"];
/** The extension that completes keys of YAML. */
const YAML_EXTENSION = "redhat.vscode-yaml";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const program = (): Executable => programOf(context);
  context.subscriptions.push(
    vscode.commands.registerCommand("celadon.restart", () => restart(context)),
    vscode.commands.registerCommand("celadon.check", () => check(program())),
    vscode.commands.registerCommand("celadon.test", () => inTerminal(program(), ["test", "."])),
    vscode.commands.registerCommand("celadon.explain", (about?: { readonly policy?: string }) =>
      explain(program(), about?.policy),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("celadon")) void restart(context);
    }),
  );
  await start(program());
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

/** A command of the user's own, or the one inside: run by the Node that VS Code is made of. */
function programOf(context: vscode.ExtensionContext): Executable {
  const path = vscode.workspace.getConfiguration("celadon").get<string>("server.path") ?? "";
  if (path !== "") return { command: path, args: [] };
  const inside = context.asAbsolutePath("celadon/main.mjs");
  return { command: process.execPath, args: [inside], options: { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } } };
}

async function start(program: Executable): Promise<void> {
  const settings = vscode.workspace.getConfiguration("celadon");
  const keys = settings.get<string>("yamlKeys") ?? "auto";
  const hasOther = vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;
  client = new LanguageClient(
    "celadon",
    "Celadon",
    { ...program, args: [...program.args, "lsp"] },
    {
      documentSelector: LANGUAGES.flatMap((language) => SCHEMES.map((scheme) => ({ language, scheme }))),
      initializationOptions: {
        yamlKeys: keys === "auto" ? (hasOther ? "off" : "on") : keys,
        kubeVersions: settings.get<string[]>("kubeVersions") ?? [],
        verdicts: settings.get<boolean>("verdicts") ?? true,
        formatting: settings.get<boolean>("formatting") ?? false,
        commands: true,
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    // One that did not start cannot be stopped.
    client = undefined;
    await vscode.window.showErrorMessage(`Celadon: the language server did not start: ${String(error)}`);
  }
}

async function restart(context: vscode.ExtensionContext): Promise<void> {
  await deactivate();
  await start(programOf(context));
}

/** The server has checked every file: its results are beside the lines. If it shows no verdicts, a terminal has them. */
function check(program: Executable): unknown {
  const isShown = vscode.workspace.getConfiguration("celadon").get<boolean>("verdicts") ?? true;
  if (client !== undefined && isShown) return vscode.commands.executeCommand("workbench.actions.view.problems");
  return inTerminal(program, ["check", "-f", "."]);
}

/** A policy, or the resource under the cursor. */
async function explain(program: Executable, policy: string | undefined): Promise<void> {
  inTerminal(program, policy === undefined ? await explainCursor() : ["explain", "-f", ".", "--policy", policy]);
}

async function explainCursor(): Promise<readonly string[]> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  const uri = document?.uri.toString();
  const outline =
    uri === undefined
      ? undefined
      : await client
          ?.sendRequest<readonly Outlined[] | null>("textDocument/documentSymbol", { textDocument: { uri } })
          .catch(() => undefined);
  return explainArguments(outline ?? [], selection?.active.line ?? 0);
}

const TERMINAL = "Celadon";

function inTerminal(program: Executable, args: readonly string[]): void {
  const uri: vscode.Uri | undefined = vscode.window.activeTextEditor?.document.uri;
  const cwd = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const known = vscode.window.terminals.find(({ name }) => name === TERMINAL);
  const terminal = known ?? vscode.window.createTerminal({ name: TERMINAL, ...(cwd !== undefined && { cwd }) });
  terminal.show(true);
  const isInside = program.options !== undefined;
  terminal.sendText(commandLine([program.command, ...program.args, ...args], isInside, process.platform));
}
