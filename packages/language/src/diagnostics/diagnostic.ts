// A message about a place of a file.

import type { Location, TextRange } from "../text/range.ts";

/** The severity of a diagnostic. */
export type Severity = "error" | "warning" | "information" | "hint";

/** Another place that has to do with a diagnostic. */
export interface Related extends Location {
  readonly message: string;
}

/** Something wrong in a file, and where. */
export interface Diagnostic {
  /** A stable code from lint, reading or a verdict: `compile_error`, `syntax`, `denied`. */
  readonly code: string;
  /** The page about the code. */
  readonly url?: string;
  readonly severity: Severity;
  readonly range: TextRange;
  readonly message: string;
  /** The name that was probably meant by the one at the range. */
  readonly suggestion?: string;
  /** Advice for people. */
  readonly help?: string;
  readonly related?: readonly Related[];
  /** The part that reports it: the file itself, lint, the policies of the workspace, or its test suites. */
  readonly source: "syntax" | "lint" | "verdict" | "test" | "configuration";
}
