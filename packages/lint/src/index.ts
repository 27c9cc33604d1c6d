// The public names.

export { isLintCode, LINT_CODES, LINT_LEVELS, type LintCode, type LintLevel } from "./codes.ts";
export { CostHelp, fieldName } from "./cost-help.ts";
export { codeHelp, IGNORE_ANNOTATION, ignoredBy, isWanted, namesIn, type Wanted } from "./ignore.ts";
export { type Linted, type LintOptions, lint } from "./lint.ts";
export { type LintProblem, type PlaceRange, problemPlace } from "./problem.ts";
