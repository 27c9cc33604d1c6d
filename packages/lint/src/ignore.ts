// Codes that the user does not want: excluded by a flag, or by an annotation on the resource.

import { nearestName } from "@celadon/base";
import type { Manifest } from "@celadon/simulator/manifests";
import { isLintCode, LINT_CODES, LINT_LEVELS, type LintLevel } from "./codes.ts";
import type { LintCode } from "./lint-code.ts";
import { type LintProblem, problem } from "./problem.ts";

/** The annotation of a resource that names the codes not to report for it. */
export const IGNORE_ANNOTATION = "celadon.dev/lint-ignore";

/** Codes the resource's annotation names, and unknown names. */
export function ignoredBy({ object }: Manifest): { readonly codes: ReadonlySet<string>; readonly unknown: string[] } {
  const annotations = object.metadata?.annotations;
  const has = typeof annotations === "object" && annotations !== null && Object.hasOwn(annotations, IGNORE_ANNOTATION);
  const text = has ? String((annotations as Record<string, unknown>)[IGNORE_ANNOTATION]) : "";
  const names = namesIn(text);
  return { codes: new Set(names), unknown: names.filter((name) => !isLintCode(name)) };
}

export function annotationProblems(manifest: Manifest): LintProblem[] {
  return ignoredBy(manifest).unknown.map((name) => {
    const path = ["metadata", "annotations", IGNORE_ANNOTATION];
    return problem("unknown_code", manifest, path, `unknown code "${name}"`, { help: codeHelp(name) });
  });
}

/** The problems to report. */
export interface Wanted {
  readonly level: LintLevel;
  readonly only: ReadonlySet<LintCode>;
  readonly disabled: ReadonlySet<LintCode>;
}

/** Whether a problem is reported. */
export function isWanted({ code, level, manifest }: LintProblem, { level: least, only, disabled }: Wanted): boolean {
  if (disabled.has(code) || (only.size > 0 && !only.has(code))) return false;
  return LINT_LEVELS.indexOf(level) <= LINT_LEVELS.indexOf(least) && !ignoredBy(manifest).codes.has(code);
}

/** The codes in a text. */
export const namesIn = (text: string): string[] => text.split(/[,\s]+/).filter((name) => name !== "");

/** The code that may have been meant. */
export function codeHelp(name: string): string | undefined {
  const near = nearestName(name, [...LINT_CODES.keys()]);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
