// What is wrong, or worth knowing, at a place of a file.

import type { Location, Range } from "../text/range.ts";

/** How bad a diagnostic is. */
export type Severity = "error" | "warning" | "information" | "hint";

/** Another place that has to do with a diagnostic. */
export interface Related extends Location {
  readonly message: string;
}

/** Something wrong in a file, and where. */
export interface Diagnostic {
  /** Of lint, of reading, or of a verdict: `compile_error`, `syntax`, `denied`. Stable. */
  readonly code: string;
  readonly severity: Severity;
  readonly range: Range;
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
  readonly related?: readonly Related[];
  /** Who says so: the file itself, lint, the policies of the workspace, or its test suites. */
  readonly source: "syntax" | "lint" | "verdict" | "test";
}
