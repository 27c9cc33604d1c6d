// Problems of an expression, as data: stages collect issues beside their result and never throw them.

import type { Span } from "./source.ts";

/**
 * Something wrong with an expression, found before it is evaluated: a code for programs, a message for people, a
 * place.
 */
export interface Issue {
  /** Stable, for programs: `undeclared_reference`, `syntax_error`. */
  readonly code: string;
  /** For people, in the reference implementation's words. */
  readonly message: string;
  /** Absent when the problem has no place of its own (a limit on the whole text). */
  readonly span?: Span;
  /**
   * The subject of the issue: the reference that is not declared, the field that is not there, the function that does not take such, the
   * type that was found.
   */
  readonly name?: string;
  /** Similar field names, for "did you mean". */
  readonly known?: readonly string[];
  /** Kinds of the types a function was applied to, the target of a member call first: `map`, `string`. For a wrong result, its own. */
  readonly kinds?: readonly string[];
  readonly severity: "error" | "warning";
}
