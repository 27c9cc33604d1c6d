// Exit codes, for every verb. Other tools blur 1 and 2; a pipeline wants to tell a bad policy from a bad invocation.

export const EXIT = { ok: 0, failed: 1, usage: 2, internal: 3 } as const;

export type ExitCode = number;

/** Ends a verb with a message for the user and code 2: what was given cannot be used. */
export class UsageError extends Error {
  /** What to do about it, on a line of its own. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
