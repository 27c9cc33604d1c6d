// Words for rejected patterns. They are Go's regexp/syntax texts, because users compare messages with the API server's.

import { type CelError, celError } from "../value/error.ts";

/** Why a pattern is rejected: a code, and the part of the pattern to blame. */
export type SyntaxCode =
  | "invalid character class range"
  | "invalid escape sequence"
  | "invalid named capture"
  | "invalid or unsupported Perl syntax"
  | "invalid nested repetition operator"
  | "invalid repeat count"
  | "missing closing ]"
  | "missing closing )"
  | "missing argument to repetition operator"
  | "trailing backslash at end of expression"
  | "unexpected )"
  | "expression nests too deeply"
  | "expression too large";

export function syntaxError(code: SyntaxCode, text: string): CelError {
  return celError("invalid_argument", `error parsing regexp: ${code}: \`${text}\``);
}
