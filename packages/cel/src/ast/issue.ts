// What is wrong with an expression, as data: stages collect issues beside their result and never throw them.

import type { Span } from "./source.ts";

export interface Issue {
  /** Stable, for programs: `undeclared_reference`, `syntax_error`. */
  readonly code: string;
  /** For people, in the reference implementation's words. */
  readonly message: string;
  /** Absent when the problem has no place of its own (a limit on the whole text). */
  readonly span?: Span;
  /** What it is about: the reference that is not declared, the field that is not there, the function that does not take such. */
  readonly name?: string;
  readonly severity: "error" | "warning";
}
