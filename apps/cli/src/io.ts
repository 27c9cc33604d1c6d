// What a verb may touch of the world. main.ts makes one from the process; tests make one from strings.

export interface Io {
  /** Machine output, and what the user asked to see. */
  readonly out: Sink;
  /** Progress, notes, errors. */
  readonly err: Sink;
  readonly files: Files;
  /** Standard input, whole. */
  stdin(limit: number): Promise<Uint8Array>;
  readonly stdinIsTerminal: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, for progress and durations only; nothing that is decided depends on it. */
  now(): number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
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
  readonly kind: "file" | "directory" | "other";
}

/** Files, by path as the user wrote it or relative to `cwd`. Rejections carry Node's `code` (ENOENT, EACCES, EISDIR…). */
export interface Files {
  read(path: string): Promise<Uint8Array>;
  /** The same as text, as UTF-8 or what looks like it, where that is quicker and certain not to block; `read` has the rest. */
  text?(path: string): string | undefined;
  /** Sorted by name. Symbolic links count as what they point to. */
  list(path: string): Promise<readonly Entry[]>;
  kind(path: string): Promise<Entry["kind"] | undefined>;
  /** Whole or not at all: written beside and moved into place. */
  write(path: string, text: string): Promise<void>;
  /** Calls back when something under the paths changed, until the signal aborts. */
  watch(paths: readonly string[], changed: (path: string) => void, signal: AbortSignal): void;
}
