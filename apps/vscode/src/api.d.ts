// The parts of VS Code and of the client library that the extension uses. Declared here, so that the rest of the project needs neither to
// be checked.

declare module "vscode" {
  export interface Disposable {
    dispose(): unknown;
  }
  export interface Uri {
    readonly fsPath: string;
    readonly scheme: string;
    toString(): string;
  }
  export interface ExtensionContext {
    readonly subscriptions: Disposable[];
    asAbsolutePath(path: string): string;
  }
  export interface Terminal {
    show(preserveFocus?: boolean): void;
    sendText(text: string): void;
  }
  export const window: {
    readonly activeTextEditor:
      | { readonly document: { readonly uri: Uri }; readonly selection: { readonly active: { readonly line: number } } }
      | undefined;
    readonly terminals: readonly (Terminal & { readonly name: string })[];
    createTerminal(options: { name: string; cwd?: string }): Terminal;
    showErrorMessage(message: string): Thenable<unknown>;
  };
  export const workspace: {
    readonly isTrusted: boolean;
    getConfiguration(section: string): { get<T>(name: string): T | undefined };
    getWorkspaceFolder(uri: Uri): { readonly uri: Uri } | undefined;
    onDidChangeConfiguration(
      listener: (event: { affectsConfiguration(section: string): boolean }) => unknown,
    ): Disposable;
  };
  export const commands: {
    registerCommand(name: string, run: (...args: never[]) => unknown): Disposable;
    executeCommand(name: string): Thenable<unknown>;
  };
  export const extensions: { getExtension(id: string): object | undefined };
  interface Thenable<T> extends PromiseLike<T> {}
}

declare module "vscode-languageclient/node" {
  export interface Executable {
    readonly command: string;
    readonly args: readonly string[];
    readonly options?: { readonly env?: Readonly<Record<string, string | undefined>> };
  }
  export class LanguageClient {
    constructor(
      id: string,
      name: string,
      server: Executable,
      client: {
        readonly documentSelector: readonly { readonly language: string; readonly scheme: string }[];
        readonly initializationOptions: unknown;
      },
    );
    start(): Promise<void>;
    stop(): Promise<void>;
    sendRequest<R>(method: string, params: unknown): Promise<R>;
  }
}
