// The agreement of client and server: units of columns, pulled or pushed diagnostics, available features.

import { compareMinors, type Minor } from "@celadon/kube-cel";
import { type PositionEncoding, TOKEN_TYPES } from "@celadon/language";
import type * as lsp from "vscode-languageserver/node";
import { UsageError } from "../program/exit.ts";
import { parseKubeVersions } from "../sources/kube-version.ts";
import { type Client, PIN_COMMAND } from "./convert.ts";

/** UTF-16 if it is offered or nothing is specified: some clients throw at anything else, others cannot mix units in a buffer. */
export function encodingFor(capabilities: lsp.ClientCapabilities): PositionEncoding {
  const offered = capabilities.general?.positionEncodings ?? ["utf-16"];
  if (offered.includes("utf-16")) return "utf-16";
  return offered.includes("utf-8") ? "utf-8" : offered.includes("utf-32") ? "utf-32" : "utf-16";
}

export function clientOf(capabilities: lsp.ClientCapabilities): Client {
  const { textDocument, workspace } = capabilities;
  const edit = workspace?.workspaceEdit;
  const formats = textDocument?.hover?.contentFormat ?? textDocument?.completion?.completionItem?.documentationFormat;
  return {
    encoding: encodingFor(capabilities),
    snippets: textDocument?.completion?.completionItem?.snippetSupport === true,
    documentChanges: edit?.documentChanges === true,
    createFiles: edit?.resourceOperations?.includes("create") === true,
    markdown: formats?.includes("markdown") === true,
  };
}

/** The settings that a client may send when it starts the server. */
export interface Settings {
  /** `auto`: keys of YAML are left to another server if the client has one. */
  readonly yamlKeys: "on" | "off" | "auto";
  readonly verdicts: boolean;
  readonly formatting: boolean;
  readonly folding: boolean;
  /** Kubernetes minors that everything must work with. */
  readonly minors: readonly Minor[];
  /** The client shows commands of lenses. */
  readonly commands: boolean;
}

export function settingsOf(options: unknown): Settings {
  const given = typeof options === "object" && options !== null ? (options as Record<string, unknown>) : {};
  const { yamlKeys } = given;
  return {
    yamlKeys: yamlKeys === "on" || yamlKeys === "off" ? yamlKeys : "auto",
    verdicts: given.verdicts !== false,
    formatting: given.formatting === true,
    folding: given.folding === true,
    minors: minorsOf(given.kubeVersions),
    commands: given.commands === true,
  };
}

/** `["1.30", "1.36"]`, `["1.33..1.37"]`; unknown versions are skipped. */
function minorsOf(given: unknown): readonly Minor[] {
  const texts = Array.isArray(given) ? given.filter((value) => typeof value === "string") : [];
  return [...new Set(texts.flatMap(knownMinors))].sort(compareMinors);
}

function knownMinors(text: string): readonly Minor[] {
  try {
    return parseKubeVersions(text);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

export function serverCapabilities(
  { encoding }: Client,
  pull: boolean,
  { formatting, folding }: Settings,
): lsp.ServerCapabilities {
  return {
    positionEncoding: encoding,
    textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
    completionProvider: { triggerCharacters: [".", "?", "'", '"', ":", " ", "{", "["] },
    hoverProvider: true,
    signatureHelpProvider: { triggerCharacters: ["(", ","], retriggerCharacters: [","] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    codeActionProvider: { codeActionKinds: ["quickfix", "refactor.rewrite", "source.fixAll.celadon"] },
    codeLensProvider: { resolveProvider: false },
    executeCommandProvider: { commands: [PIN_COMMAND] },
    inlayHintProvider: true,
    semanticTokensProvider: {
      legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [] },
      full: { delta: true },
      range: true,
    },
    // Other servers have these for YAML: only on request.
    ...(formatting && { documentFormattingProvider: true }),
    ...(folding && { foldingRangeProvider: true }),
    ...(pull && {
      diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false, identifier: "celadon" },
    }),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
