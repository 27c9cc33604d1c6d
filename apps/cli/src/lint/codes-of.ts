// Codes of lint as flags name them.

import { codeHelp, isLintCode, type LintCode, namesIn } from "@celadon/lint";
import { UsageError } from "../program/exit.ts";

/** One value may have several. */
export function codesOf(flag: string, values: readonly string[]): ReadonlySet<LintCode> {
  return new Set(values.flatMap(namesIn).map((name) => codeOf(flag, name)));
}

export function codeOf(flag: string, name: string): LintCode {
  if (isLintCode(name)) return name;
  throw new UsageError(`--${flag}: unknown code "${name}"`, codeHelp(name) ?? "`celadon lint --list` shows them");
}
