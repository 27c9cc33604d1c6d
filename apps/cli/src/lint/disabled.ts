// Codes that celadon.yaml disables, for all files or for some.

import { codeHelp, isLintCode, type LintProblem, problemPlace } from "@celadon/lint";
import { placed } from "../configuration/configuration.ts";
import { badInput } from "../inputs/inputs.ts";
import type { Args } from "../program/command.ts";
import type { CallConfiguration } from "../program/configuration.ts";
import type { Io } from "../program/io.ts";

/** Whether a problem is disabled where it is. Throws after printing codes that do not exist. */
export function disabledByConfiguration(
  configuration: CallConfiguration | undefined,
  args: Args<"color">,
  io: Io,
): (problem: LintProblem) => boolean {
  if (configuration === undefined) return () => false;
  const wrong = unknownCodes(configuration);
  if (wrong.length > 0) throw badInput(wrong, io, args);
  const byFile = new Map<string, ReadonlySet<string>>();
  return (problem) => {
    const file = problemPlace(problem)?.file ?? "";
    let codes = byFile.get(file);
    if (codes === undefined) byFile.set(file, (codes = new Set(configuration.disabledIn(file))));
    return codes.has(problem.code);
  };
}

function unknownCodes(configuration: CallConfiguration): ReturnType<typeof placed>[] {
  const { disable = [], overrides = [] } = configuration.text;
  const named = [
    ...disable.map((code, i) => ({ code, path: ["disable", i] })),
    ...overrides.flatMap((override, i) =>
      (override.disable ?? []).map((code, j) => ({ code, path: ["overrides", i, "disable", j] })),
    ),
  ];
  return named.flatMap(({ code, path }) =>
    isLintCode(code)
      ? []
      : [placed(configuration, path, `unknown code "${code}"`, codeHelp(code) ?? "`celadon lint --list` shows them")],
  );
}
