// Exit codes of all commands. A pipeline must be able to tell a bad policy (1) from a bad invocation (2).

export const EXIT = { ok: 0, failed: 1, usage: 2, internal: 3 } as const;

export type ExitCode = number;

/** Ends a command with a message for the user and code 2: its arguments or inputs cannot be used. */
export class UsageError extends Error {
  /** Advice, on a separate line. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The same for inputs that cannot be read. Their problems are printed already, and the command's help would not solve them. */
export class InputError extends UsageError {
  /** A file may have several issues. */
  constructor(issues: readonly { readonly file: string; readonly code: string }[]) {
    const files = new Set(issues.map(({ file }) => file)).size;
    // A suite may be readable and name policies that a server would reject.
    const what = issues.some(({ code }) => code === "suite") ? "cannot read or run" : "cannot read";
    super(files === 1 ? `${what} one input` : `${what} ${files} inputs`);
  }
}
