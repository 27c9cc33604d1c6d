// A stand-in for VS Code: the part of the `vscode` module that the extension and its client library use. The parts that tests need work;
// all others return something that can be called, read and disposed of.

import { createRequire } from "node:module";

export interface FakeHost {
  /** Loads a bundled extension. */
  readonly load: (code: string) => { activate(context: unknown): Promise<void>; deactivate(): Promise<void> };
  readonly commands: Map<string, (...args: unknown[]) => unknown>;
  readonly executed: string[];
  /** Lines that terminals got. */
  readonly lines: string[];
  readonly errors: string[];
  /** Messages of diagnostics, by file. */
  readonly diagnostics: Map<string, readonly { readonly message: string }[]>;
  /** Opens a document, as a user does. */
  readonly open: (uri: string, languageId: string, text: string) => void;
  readonly settings: Record<string, unknown>;
}

/** Stands in for members that do not matter. */
function anything(known: Readonly<Record<string | symbol, unknown>> = {}): never {
  return new Proxy(class {}, {
    get(target, name) {
      if (Object.hasOwn(known, name)) return known[name];
      if (name === "prototype") return Reflect.get(target, name);
      // It is no promise, no list and no text.
      if (name === "then" || name === "length") return undefined;
      if (name === Symbol.iterator) return [][Symbol.iterator];
      if (name === Symbol.toPrimitive) return () => "";
      return anything();
    },
    apply: () => anything(),
  }) as never;
}

class Emitter {
  readonly #listeners = new Set<(event: unknown) => unknown>();
  readonly event = (listener: (event: unknown) => unknown, self?: object): { dispose(): void } => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.#listeners.add(bound);
    return { dispose: () => this.#listeners.delete(bound) };
  };
  fire(event: unknown): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

class Uri {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static file(path: string): Uri {
    return new Uri(`file://${path}`);
  }
  get scheme(): string {
    return this.text.split(":", 1)[0]!;
  }
  get fsPath(): string {
    return this.text.replace(/^file:\/\//, "");
  }
  get path(): string {
    return this.fsPath;
  }
  toString(): string {
    return this.text;
  }
}

class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

class Diagnostic {
  readonly range: Range;
  readonly message: string;
  constructor(range: Range, message: string) {
    this.range = range;
    this.message = message;
  }
}

class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: new Emitter().event };
  cancel(): void {}
  dispose(): void {}
}

/** `folder` is the only folder of the workspace. */
export function fakeHost(folder: string): FakeHost {
  const commands: FakeHost["commands"] = new Map();
  const executed: string[] = [];
  const lines: string[] = [];
  const errors: string[] = [];
  const diagnostics: FakeHost["diagnostics"] = new Map();
  const settings: Record<string, unknown> = {};
  const documents: unknown[] = [];
  const opened = new Emitter();
  const disposable = { dispose: () => {} };
  const workspaceFolder = { uri: Uri.file(folder), name: "workspace", index: 0 };
  const chosen = new Emitter();
  const tabsChanged = new Emitter();
  const tabs: { readonly input: TabInputText }[] = [];
  const window: Record<string, unknown> = {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    onDidChangeActiveTextEditor: chosen.event,
    terminals: [],
    tabGroups: { all: [{ tabs }], onDidChangeTabs: tabsChanged.event, onDidChangeTabGroups: new Emitter().event },
    createOutputChannel: () =>
      anything({
        append: () => {},
        appendLine: () => {},
        error: (text: string) => errors.push(text),
        dispose: () => {},
      }),
    createTerminal: () => ({ show: () => {}, sendText: (text: string) => lines.push(text) }),
    showErrorMessage: async (text: string) => void errors.push(text),
  };
  const known: Readonly<Record<string, unknown>> = {
    Uri,
    Position,
    Range,
    Diagnostic,
    TabInputText,
    EventEmitter: Emitter,
    CancellationTokenSource,
    Disposable: Object.assign(
      class {
        readonly #end: () => void;
        constructor(end: () => void) {
          this.#end = end;
        }
        dispose(): void {
          this.#end();
        }
      },
      { from: () => disposable },
    ),
    version: "1.100.0",
    env: anything({ appName: "fake", language: "en" }),
    extensions: { getExtension: () => undefined, onDidChange: new Emitter().event },
    commands: {
      registerCommand: (name: string, run: (...args: unknown[]) => unknown) => {
        commands.set(name, run);
        return { dispose: () => commands.delete(name) };
      },
      executeCommand: async (name: string) => void executed.push(name),
    },
    window: anything(window),
    workspace: anything({
      isTrusted: true,
      name: "workspace",
      workspaceFolders: [workspaceFolder],
      textDocuments: documents,
      notebookDocuments: [],
      getWorkspaceFolder: () => workspaceFolder,
      getConfiguration: () => ({ get: (name: string) => settings[name], inspect: () => undefined }),
      onDidOpenTextDocument: opened.event,
      onDidChangeTextDocument: new Emitter().event,
      onDidCloseTextDocument: new Emitter().event,
      onDidSaveTextDocument: new Emitter().event,
      onDidChangeConfiguration: new Emitter().event,
      onDidChangeWorkspaceFolders: new Emitter().event,
    }),
    languages: anything({
      match: () => 10,
      createDiagnosticCollection: () => ({
        set: (uri: Uri, found: readonly { message: string }[] | undefined) =>
          void diagnostics.set(String(uri), found ?? []),
        delete: (uri: Uri) => diagnostics.delete(String(uri)),
        clear: () => diagnostics.clear(),
        has: (uri: Uri) => diagnostics.has(String(uri)),
        dispose: () => {},
      }),
    }),
  };
  const real = createRequire(import.meta.url);
  return {
    commands,
    executed,
    lines,
    errors,
    diagnostics,
    settings,
    load: (code) => {
      const module = { exports: {} as ReturnType<FakeHost["load"]> };
      // Bundlers copy the properties of a module, so all that are used have to be there.
      const names = [...code.matchAll(/\b(?:vscode|code)\w*\.([A-Za-z]\w*)/g)].map(([, name]) => name!);
      const others = names.filter((name) => !Object.hasOwn(known, name)).map((name) => [name, anything()]);
      const vscode = { ...Object.fromEntries(others), ...known };
      const require = (name: string): unknown => (name === "vscode" ? vscode : real(name));
      new Function("require", "module", "exports", code)(require, module, module.exports);
      return module.exports;
    },
    open: (uri, languageId, text) => {
      const textLines = text.split("\n");
      const document = {
        uri: Uri.parse(uri),
        languageId,
        version: 1,
        isClosed: false,
        lineCount: textLines.length,
        getText: () => text,
      };
      documents.push(document);
      window.activeTextEditor = { document, selection: { active: new Position(0, 0) } };
      window.visibleTextEditors = [{ document }];
      const tab = { input: new TabInputText(document.uri) };
      tabs.push(tab);
      tabsChanged.fire({ opened: [tab], closed: [], changed: [] });
      opened.fire(document);
      chosen.fire(window.activeTextEditor);
    },
  };
}
