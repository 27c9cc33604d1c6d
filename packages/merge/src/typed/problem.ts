// A problem of a value: its path and the message, which is structured-merge-diff's.

import { type Path, pathText } from "../fieldpath/path-element.ts";

/** A part of a value that does not fit its type. */
export interface TypeProblem {
  readonly path: Path;
  readonly message: string;
}

/** A problem as a sentence. */
export function typeProblemText({ path, message }: TypeProblem): string {
  return path.length === 0 ? message : `${pathText(path)}: ${message}`;
}

/** Problems as one message. */
export function typeProblemsText(problems: readonly TypeProblem[]): string {
  if (problems.length === 1) return typeProblemText(problems[0]!);
  return ["errors:", ...problems.map((problem) => `  ${typeProblemText(problem)}`)].join("\n");
}
