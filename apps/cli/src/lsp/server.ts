// The language server: a connection on one side, the language service on the other. Every answer comes from the service; this file has the
// life of a session, the client's files, and its capabilities.

import { fileURLToPath } from "node:url";
import { type Diagnostic, type SourceText, type TextRange, TOKEN_TYPES, Workspace } from "@celadon/language";
import * as lsp from "vscode-languageserver/node";
import type { Files } from "../program/io.ts";
import {
  type Client,
  fromRange,
  markup,
  PIN_COMMAND,
  toAction,
  toCompletionList,
  toDiagnostic,
  toEdits,
  toFoundSymbol,
  toRange,
  toSymbol,
  toWorkspaceEdit,
} from "./convert.ts";
import { Diagnoser } from "./diagnose.ts";
import { clientOf, type Settings, serverCapabilities, settingsOf } from "./negotiate.ts";
import { readText, scanFolder } from "./scan.ts";
import { TokenCache } from "./token-cache.ts";

/** Symbols of all files that are sent for one query. */
const SYMBOLS = 200;

export interface ServerOptions {
  readonly files: Files;
  readonly version: string;
}

/** Serves until the client sends exit; resolves with whether it sent shutdown before. */
export function serve(connection: lsp.Connection, options: ServerOptions): Promise<boolean> {
  const session = new Session(connection, options);
  connection.listen();
  return session.ended;
}

class Session {
  readonly ended: Promise<boolean>;
  readonly #connection: lsp.Connection;
  readonly #files: Files;
  readonly #version: string;
  #workspace = new Workspace();
  #client: Client = clientOf({});
  #settings: Settings = settingsOf(undefined);
  #capabilities: lsp.ClientCapabilities = {};
  #diagnoser: Diagnoser | undefined;
  #folders: readonly string[] = [];
  readonly #tokens = new TokenCache();
  /** Files that the client has open, with their version. */
  readonly #open = new Map<string, number>();

  constructor(connection: lsp.Connection, { files, version }: ServerOptions) {
    this.#connection = connection;
    this.#files = files;
    this.#version = version;
    let isShutDown = false;
    this.ended = new Promise((resolve) => {
      connection.onShutdown(() => {
        isShutDown = true;
        this.#diagnoser?.close();
      });
      connection.onExit(() => resolve(isShutDown));
    });
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#initialized());
    this.#documents();
    this.#questions();
    this.#edits();
    this.#colours();
    this.#commands();
  }

  #initialize(params: lsp.InitializeParams): lsp.InitializeResult {
    const { capabilities, workspaceFolders, rootUri } = params;
    this.#capabilities = capabilities;
    this.#client = clientOf(capabilities);
    this.#settings = settingsOf(params.initializationOptions);
    this.#workspace = new Workspace({
      yamlKeys: this.#settings.yamlKeys !== "off",
      ...(this.#settings.minors.length > 0 && { minors: this.#settings.minors }),
    });
    this.#folders = (workspaceFolders ?? (rootUri ? [{ uri: rootUri, name: "" }] : [])).map(({ uri }) => uri);
    const pull = capabilities.textDocument?.diagnostic !== undefined;
    this.#diagnoser = new Diagnoser(this.#workspace, this.#channel(), { verdicts: this.#settings.verdicts, pull });
    return {
      capabilities: serverCapabilities(this.#client, pull, this.#settings),
      serverInfo: { name: "celadon", version: this.#version },
    };
  }

  #channel(): ConstructorParameters<typeof Diagnoser>[1] {
    return {
      open: () => this.#open.keys(),
      publish: (uri, found) => {
        const version = this.#open.get(uri);
        const diagnostics = this.#shown(uri, found);
        void this.#connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) });
      },
      refresh: () => {
        if (this.#capabilities.workspace?.diagnostics?.refreshSupport === true) {
          void this.#connection.sendRequest("workspace/diagnostic/refresh").catch(() => {});
        }
        if (this.#capabilities.workspace?.codeLens?.refreshSupport === true) {
          void this.#connection.sendRequest("workspace/codeLens/refresh").catch(() => {});
        }
      },
      log: (message) => this.#connection.console.error(message),
    };
  }

  async #initialized(): Promise<void> {
    if (this.#capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true) {
      await this.#connection.client
        .register(lsp.DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: "**/*.{yaml,yml,json}" }] })
        .catch(() => {});
    }
    for (const folder of this.#folders) await this.#scan(folder);
    this.#diagnoser?.changed();
  }

  async #scan(folder: string): Promise<void> {
    const path = pathOf(folder);
    if (path === undefined) return;
    for await (const [uri, text] of scanFolder(path, this.#files)) {
      // The editor's text of an open file counts.
      if (!this.#open.has(uri)) this.#workspace.set(uri, text);
    }
  }

  #documents(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument: { uri, text, version } }) => {
      this.#open.set(uri, version);
      this.#workspace.set(uri, text);
      this.#diagnoser?.changed(uri);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      this.#open.set(uri, version ?? 0);
      for (const change of contentChanges) {
        const source = this.#workspace.file(uri)?.source;
        if (!("range" in change) || source === undefined) this.#workspace.set(uri, change.text);
        else this.#workspace.edit(uri, [{ range: fromRange(source, change.range, this.#client), text: change.text }]);
      }
      this.#diagnoser?.changed(uri);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      this.#open.delete(uri);
      this.#tokens.forget(uri);
      void this.#reload(uri);
    });
    // Some clients watch no files: saved files are checked again.
    connection.onDidSaveTextDocument(() => this.#diagnoser?.changed());
    connection.onDidChangeWatchedFiles(async ({ changes }) => {
      for (const { uri } of changes) if (!this.#open.has(uri)) await this.#reload(uri);
    });
  }

  /** A file as the disk has it, or no file. */
  async #reload(uri: string): Promise<void> {
    const path = pathOf(uri);
    const text = path === undefined ? undefined : await readText(path, this.#files);
    if (this.#open.has(uri)) return;
    if (text === undefined) this.#workspace.delete(uri);
    else this.#workspace.set(uri, text);
    this.#diagnoser?.changed();
  }

  #questions(): void {
    const connection = this.#connection;
    connection.languages.diagnostics.on(async ({ textDocument: { uri } }) => {
      const found = (await this.#diagnoser?.of(uri)) ?? [];
      return { kind: "full", items: this.#shown(uri, found) };
    });
    connection.onCompletion((params) =>
      this.#at(params, (uri, offset, source) =>
        toCompletionList(this.#workspace.completion(uri, offset), source, this.#client),
      ),
    );
    connection.onHover((params) => this.#at(params, (uri, offset, source) => this.#hover(uri, offset, source)));
    connection.onSignatureHelp((params) =>
      this.#at(params, (uri, offset) => {
        const found = this.#workspace.signature(uri, offset);
        if (found === undefined) return null;
        return {
          signatures: found.signatures.map(({ label, parameters, documentation }) => ({
            label,
            parameters: parameters.map(([start, end]) => ({ label: [start, end] as [number, number] })),
            ...(documentation !== undefined && { documentation: markup(documentation, this.#client) }),
          })),
          activeSignature: found.active,
          activeParameter: found.argument,
        };
      }),
    );
    connection.onDefinition((params) =>
      this.#at(params, (uri, offset) => this.#locations(this.#workspace.definition(uri, offset))),
    );
    connection.onReferences((params) =>
      this.#at(params, (uri, offset) => {
        const all = this.#workspace.references(uri, offset);
        return this.#locations(
          params.context.includeDeclaration ? all : all.filter(({ isDefinition }) => !isDefinition),
        );
      }),
    );
    connection.onDocumentHighlight((params) =>
      this.#at(params, (uri, offset, source) =>
        this.#workspace
          .references(uri, offset)
          .filter((reference) => reference.uri === uri)
          .map(({ range, isDefinition }) => ({
            range: toRange(source, range, this.#client),
            kind: isDefinition ? 3 : 2,
          })),
      ),
    );
    connection.onDocumentSymbol(({ textDocument: { uri } }) =>
      this.#of(uri, (source) => this.#workspace.symbols(uri).map((symbol) => toSymbol(symbol, source, this.#client))),
    );
    connection.onWorkspaceSymbol(({ query }) => {
      const found = this.#workspace.findSymbols(query).slice(0, SYMBOLS);
      return found.flatMap(({ uri, symbol }) =>
        this.#of(uri, (source) => [toFoundSymbol(symbol, uri, source, this.#client)]),
      );
    });
    connection.onFoldingRanges(({ textDocument: { uri } }) =>
      this.#of(uri, (source) =>
        this.#workspace
          .folding(uri)
          .map(({ start, end }) => ({ startLine: source.lineAt(start), endLine: source.lineAt(end) })),
      ),
    );
    connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
      this.#of(uri, (source) =>
        this.#workspace.hints(uri, fromRange(source, range, this.#client)).map(({ offset, text }) => ({
          position: source.positionAt(offset, this.#client.encoding),
          label: text,
          kind: lsp.InlayHintKind.Type,
        })),
      ),
    );
    connection.onCodeLens(({ textDocument: { uri } }) => this.#lenses(uri));
  }

  async #hover(uri: string, offset: number, source: SourceText): Promise<lsp.Hover | null> {
    const found = this.#workspace.hover(uri, offset);
    const value = this.#settings.verdicts ? await this.#workspace.valueAt(uri, offset) : undefined;
    if (found === undefined && value === undefined) return null;
    const shown = value && `\`${value.text}\` = \`${value.value}\` for ${value.sample}`;
    const text = [found?.text, shown].filter((part) => part !== undefined).join("\n\n");
    return { contents: markup(text, this.#client), range: toRange(source, (found ?? value)!.range, this.#client) };
  }

  async #lenses(uri: string): Promise<lsp.CodeLens[]> {
    const source = this.#source(uri);
    if (source === undefined) return [];
    const lenses = await this.#workspace.lenses(uri);
    return lenses.map(({ range, title, command }) => {
      // Without a command of its own a lens is text, which every client shows.
      const own =
        this.#settings.commands && command !== undefined
          ? { command: `celadon.${command.name}`, arguments: [command] }
          : { command: "" };
      return {
        range: toRange(source, { start: range.start, end: range.start }, this.#client),
        command: { title, ...own },
      };
    });
  }

  #edits(): void {
    const connection = this.#connection;
    connection.onPrepareRename((params) =>
      this.#at(params, (uri, offset, source) => {
        const found = this.#workspace.renameRange(uri, offset);
        return found === undefined
          ? null
          : { range: toRange(source, found.range, this.#client), placeholder: found.name };
      }),
    );
    connection.onRenameRequest((params) =>
      this.#at(params, (uri, offset) => {
        const result = this.#workspace.rename(uri, offset, params.newName);
        if ("problem" in result) return new lsp.ResponseError(lsp.ErrorCodes.InvalidParams, result.problem);
        return toWorkspaceEdit(result.edits, new Map(), (edit) => this.#source(edit), this.#client) ?? null;
      }),
    );
    connection.onDocumentFormatting(({ textDocument: { uri } }) =>
      this.#of(uri, (source) => toEdits(this.#workspace.format(uri), source, this.#client)),
    );
    connection.onCodeAction(async ({ textDocument: { uri }, range, context }) => {
      const source = this.#source(uri);
      if (source === undefined) return [];
      const own = fromRange(source, range, this.#client);
      const wants = (kind: string): boolean =>
        context.only === undefined || context.only.some((text) => kind.startsWith(text));
      const diagnostics = (await this.#diagnoser?.known(uri)) ?? [];
      const actions = [
        ...this.#workspace.actions(uri, own, diagnostics),
        ...(this.#settings.verdicts && (wants("quickfix") || wants("refactor"))
          ? await this.#workspace.verdictActions(uri, own.start, {
              onlyProblems: context.triggerKind === lsp.CodeActionTriggerKind.Automatic,
            })
          : []),
        ...(context.only?.some((text) => text.startsWith("source")) ? this.#workspace.fixAll(uri, diagnostics) : []),
      ];
      return actions
        .filter(({ kind }) => wants(kind))
        .flatMap((action) => toAction(action, (text) => this.#source(text), source, this.#client) ?? []);
    });
  }

  #commands(): void {
    this.#connection.onExecuteCommand(({ command, arguments: [identity] = [] }) => {
      if (command !== PIN_COMMAND || typeof identity !== "string") return null;
      this.#workspace.pinned = identity;
      return null;
    });
  }

  #colours(): void {
    const { semanticTokens } = this.#connection.languages;
    const encode = (uri: string, within?: TextRange): number[] => {
      const source = this.#source(uri);
      if (source === undefined) return [];
      const builder = new lsp.SemanticTokensBuilder();
      for (const { start, end, type } of this.#workspace.tokens(uri, within)) {
        const from = source.positionAt(start, this.#client.encoding);
        const to = source.positionAt(end, this.#client.encoding);
        builder.push(from.line, from.character, to.character - from.character, TOKEN_TYPES.indexOf(type), 0);
      }
      return builder.build().data;
    };
    semanticTokens.on(({ textDocument: { uri } }) => this.#tokens.whole(uri, encode(uri)));
    semanticTokens.onDelta(({ textDocument: { uri }, previousResultId }) =>
      this.#tokens.delta(uri, encode(uri), previousResultId),
    );
    semanticTokens.onRange(({ textDocument: { uri }, range }) => {
      const source = this.#source(uri);
      return { data: source === undefined ? [] : encode(uri, fromRange(source, range, this.#client)) };
    });
  }

  #source(uri: string): SourceText | undefined {
    return this.#workspace.file(uri)?.source;
  }

  #shown(uri: string, found: readonly Diagnostic[]): lsp.Diagnostic[] {
    const source = this.#source(uri);
    return source === undefined
      ? []
      : found.map((diagnostic) => toDiagnostic(diagnostic, source, (other) => this.#source(other), this.#client));
  }

  #locations(places: readonly { readonly uri: string; readonly range: TextRange }[]): lsp.Location[] {
    return places.flatMap(({ uri, range }) => {
      const source = this.#source(uri);
      return source === undefined ? [] : [{ uri, range: toRange(source, range, this.#client) }];
    });
  }

  /** Answers about a place in a file that is known; null about any other. */
  #at<T>(
    { textDocument: { uri }, position }: lsp.TextDocumentPositionParams,
    answer: (uri: string, offset: number, source: SourceText) => T,
  ): T | null {
    const source = this.#source(uri);
    return source === undefined ? null : answer(uri, source.offsetAt(position, this.#client.encoding), source);
  }

  #of<T>(uri: string, answer: (source: SourceText) => readonly T[]): T[] {
    const source = this.#source(uri);
    return source === undefined ? [] : [...answer(source)];
  }
}

/** Undefined for documents outside the disk: files that were never saved, other schemes. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}
