// Describes the missing value of a point.

import type { Want } from "./points.ts";
import type { CoveredPoint } from "./report.ts";

const WORDS: Readonly<Record<Want, string>> = {
  true: "never true",
  false: "never false",
  evaluated: "never evaluated",
  taken: "never taken",
  error: "never failed",
  matched: "never matched",
  refused: "never excluded a request",
};

const KINDS: Readonly<Record<CoveredPoint["kind"], string>> = {
  expression: "expression",
  operand: "operand",
  branch: "branch",
  body: "macro body",
  error: "evaluation",
  binding: "binding",
};

/** `operand never false`. */
export function missingText({ kind, want }: Pick<CoveredPoint, "kind" | "want">): string {
  return `${KINDS[kind]} ${WORDS[want]}`;
}
