// Between the language service and the protocol: offsets ↔ positions in the client's units, kinds and severities by their numbers.

import {
  type Action,
  type Completion,
  type Completions,
  type Diagnostic,
  type DocumentSymbol,
  type PositionEncoding,
  plainInsert,
  type SourceText,
  type TextEdit,
  type TextRange,
} from "@celadon/language";
import type * as lsp from "vscode-languageserver/node";

/** The settings negotiated with the client. */
export interface Client {
  readonly encoding: PositionEncoding;
  readonly snippets: boolean;
  readonly documentChanges: boolean;
  /** Files may be created by an edit. */
  readonly createFiles: boolean;
  readonly markdown: boolean;
}

export function toRange(source: SourceText, { start, end }: TextRange, { encoding }: Client): lsp.Range {
  return { start: source.positionAt(start, encoding), end: source.positionAt(end, encoding) };
}

export function fromRange(source: SourceText, { start, end }: lsp.Range, { encoding }: Client): TextRange {
  return { start: source.offsetAt(start, encoding), end: source.offsetAt(end, encoding) };
}

const SEVERITIES = { error: 1, warning: 2, information: 3, hint: 4 } as const;

/** Text of a file that others refer to; undefined when it is gone. */
export type TextOf = (uri: string) => SourceText | undefined;

const SOURCES: Readonly<Record<Diagnostic["source"], string>> = {
  syntax: "celadon",
  lint: "celadon",
  verdict: "celadon policies",
  test: "celadon tests",
  configuration: "celadon.yaml",
};

export function toDiagnostic(
  diagnostic: Diagnostic,
  source: SourceText,
  textOf: TextOf,
  client: Client,
): lsp.Diagnostic {
  const { code, url, severity, range, message, help, related = [] } = diagnostic;
  const relatedInformation = related.flatMap((item) => {
    const other = textOf(item.uri);
    if (other === undefined) return [];
    return [{ location: { uri: item.uri, range: toRange(other, item.range, client) }, message: item.message }];
  });
  return {
    range: toRange(source, range, client),
    severity: SEVERITIES[severity],
    code,
    ...(url !== undefined && { codeDescription: { href: url } }),
    source: SOURCES[diagnostic.source],
    message: help === undefined ? message : `${message}\nhelp: ${help}`,
    ...(relatedInformation.length > 0 && { relatedInformation }),
  };
}

/** By the protocol's numbers. */
const ITEM_KINDS: Readonly<Record<Completion["kind"], lsp.CompletionItemKind>> = {
  field: 5,
  variable: 6,
  function: 3,
  macro: 3,
  namespace: 9,
  keyword: 14,
  value: 12,
  snippet: 15,
};

const WIDTH = 4;

export function toCompletionList(
  { items, range }: Completions,
  source: SourceText,
  client: Client,
): lsp.CompletionList {
  const shown = client.snippets ? items : items.filter(({ kind }) => kind !== "snippet");
  const at = toRange(source, range, client);
  return {
    isIncomplete: false,
    items: shown.map((item, i): lsp.CompletionItem => {
      const { label, kind, detail, documentation, insert, snippet } = item;
      return {
        label,
        kind: ITEM_KINDS[kind],
        // Clients sort by this: the best stays first.
        sortText: String(i).padStart(WIDTH, "0"),
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: markup(documentation, client) }),
        textEdit: { range: at, newText: client.snippets ? insert : plainInsert(item) },
        ...(client.snippets && snippet === true && { insertTextFormat: 2 }),
      };
    }),
  };
}

export function markup(text: string, { markdown }: Client): lsp.MarkupContent {
  return markdown
    ? { kind: "markdown", value: text }
    : { kind: "plaintext", value: text.replace(/```\w*\n?/g, "").replace(/`/g, "") };
}

export function toEdits(edits: readonly TextEdit[], source: SourceText, client: Client): lsp.TextEdit[] {
  return edits.map(({ range, text }) => ({ range: toRange(source, range, client), newText: text }));
}

/** Undefined where the client cannot make the files that are needed. */
export function toWorkspaceEdit(
  edits: ReadonlyMap<string, readonly TextEdit[]>,
  create: ReadonlyMap<string, string>,
  textOf: TextOf,
  client: Client,
): lsp.WorkspaceEdit | undefined {
  if (create.size > 0 && !(client.documentChanges && client.createFiles)) return undefined;
  const found = [...edits].flatMap(([uri, list]): [string, lsp.TextEdit[]][] => {
    const source = textOf(uri);
    return source === undefined ? [] : [[uri, toEdits(list, source, client)]];
  });
  if (!client.documentChanges) return { changes: Object.fromEntries(found) };
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      ...found.map(([uri, list]) => ({ textDocument: { uri, version: null }, edits: list })),
      ...[...create].flatMap(([uri, text]) => [
        { kind: "create" as const, uri, options: { ignoreIfExists: true } },
        { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
      ]),
    ],
  };
}

/** Makes an object the sample of hovers. The server runs it, so every client has it. */
export const PIN_COMMAND = "celadon.pin";

export function toAction(
  action: Action,
  textOf: TextOf,
  source: SourceText,
  client: Client,
): lsp.CodeAction | undefined {
  const { title, kind, pin } = action;
  if (pin !== undefined) return { title, kind, command: { title, command: PIN_COMMAND, arguments: [pin] } };
  const edit = toWorkspaceEdit(action.edits, action.create ?? new Map(), textOf, client);
  if (edit === undefined) return undefined;
  return {
    title,
    kind,
    ...(action.fixes && { diagnostics: action.fixes.map((fix) => toDiagnostic(fix, source, textOf, client)) }),
    ...(action.preferred === true && { isPreferred: true }),
    edit,
  };
}

const SYMBOL_KINDS: Readonly<Record<DocumentSymbol["kind"], lsp.SymbolKind>> = {
  resource: 19,
  variable: 13,
  condition: 17,
  rule: 12,
  message: 15,
  annotation: 15,
  mutation: 12,
};

/** A resource among those of all files. */
export function toFoundSymbol(
  symbol: DocumentSymbol,
  uri: string,
  source: SourceText,
  client: Client,
): lsp.WorkspaceSymbol {
  return {
    name: symbol.name,
    kind: SYMBOL_KINDS[symbol.kind],
    location: { uri, range: toRange(source, symbol.selection, client) },
  };
}

export function toSymbol(symbol: DocumentSymbol, source: SourceText, client: Client): lsp.DocumentSymbol {
  return {
    name: symbol.name,
    ...(symbol.detail !== undefined && { detail: symbol.detail }),
    kind: SYMBOL_KINDS[symbol.kind],
    range: toRange(source, symbol.range, client),
    selectionRange: toRange(source, symbol.selection, client),
    children: symbol.children.map((child) => toSymbol(child, source, client)),
  };
}
