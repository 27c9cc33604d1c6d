// The part of the machine that a command may touch. main.ts makes one from the process; tests make one from strings.

export interface Io {
  /** Machine output, and text the user requested. */
  readonly out: Sink;
  /** Progress, notes, errors. */
  readonly err: Sink;
  readonly files: Files;
  /** Standard input, whole. */
  stdin(limit: number): Promise<Uint8Array>;
  readonly stdinIsTerminal: boolean;
  readonly cwd: string;
  /** The files that run the command: Node's, and the command's own, which is empty for the single executable. */
  readonly program: { readonly node: string; readonly file: string };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, for progress and durations only; nothing that is decided depends on it. */
  now(): number;
  /** Aborted when the output is closed, and by Ctrl-C after `catchSignals`. */
  readonly signal: AbortSignal;
  /**
   * For a command that runs until it is stopped: from here on SIGINT and SIGTERM abort the signal. Every other verb leaves them to
   * the system, which ends the process in the middle of any expression; only files that are being written are cleaned up first.
   */
  catchSignals(): void;
  /** For a server: it answers from now on. */
  hasStarted(): void;
  /**
   * For a server that was stopped and now finishes its requests: it has as long as it needs, until a second
   * signal. Every other verb is ended a moment after the first.
   */
  endInOrder(): void;
  /** Runs a program of the machine (git, diff) without a shell. */
  run(
    program: string,
    args: readonly string[],
    limit: number,
  ): Promise<{ code: number; stdout: Uint8Array; stderr: string }>;
}

export interface Sink {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  write(text: string): void;
  /** Moves the cursor of a terminal. Never for data. */
  control(sequence: string): void;
}

export interface Entry {
  readonly name: string;
  /** `dangling`: a symbolic link that leads nowhere, or in a circle. */
  readonly kind: "file" | "directory" | "other" | "dangling";
}

/** Files, by path as the user wrote it or relative to `cwd`. Rejections carry Node's `code` (ENOENT, EACCES, EISDIR…). */
export interface Files {
  read(path: string): Promise<Uint8Array>;
  /** The same as text, as UTF-8 or what looks like it, where that is quicker and certain not to block; `read` has the rest. */
  text?(path: string): string | undefined;
  /** Sorted by name. Symbolic links count as their targets. */
  list(path: string): Promise<readonly Entry[]>;
  kind(path: string): Promise<Entry["kind"] | undefined>;
  /** The same text for the same directory, by any links. */
  identity(path: string): Promise<string>;
  /** The absolute path, through all links, with slashes. A path that does not exist is resolved by its directory. */
  real(path: string): Promise<string>;
  /**
   * All of them or none, each whole: written beside and moved into place when all are written. A rejection names its `file`.
   * They get the mode; without one, files that were there keep theirs.
   */
  write(texts: ReadonlyMap<string, string | Iterable<string>>, mode?: number): Promise<void>;
  /** Calls back when something under the paths changed, until the signal aborts. */
  watch(paths: readonly string[], changed: (path: string) => void, signal: AbortSignal): void;
}
