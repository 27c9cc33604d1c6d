// What is wrong with a value: where, and why. Texts are those of structured-merge-diff.

import { type Path, pathText } from "../fieldpath/path-element.ts";

export interface TypeProblem {
  readonly path: Path;
  readonly message: string;
}

export function typeProblemText({ path, message }: TypeProblem): string {
  return path.length === 0 ? message : `${pathText(path)}: ${message}`;
}

export function typeProblemsText(problems: readonly TypeProblem[]): string {
  if (problems.length === 1) return typeProblemText(problems[0]!);
  return ["errors:", ...problems.map((problem) => `  ${typeProblemText(problem)}`)].join("\n");
}
