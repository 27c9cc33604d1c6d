// The public names.

export { isLintCode, LINT_CODES, LINT_LEVELS, type LintLevel } from "./codes.ts";
export { errorHelp } from "./help/error-help.ts";
export { expressionHelp, type HelpQuestion } from "./help/expression-help.ts";
export { Vocabulary } from "./help/vocabulary.ts";
export { codeHelp, ignoredBy, isWanted, namesIn, type Wanted } from "./ignore.ts";
export { type IneffectivePolicy, ineffectivePolicies } from "./ineffective.ts";
export { type Linted, Linter, type LintOptions, lint } from "./lint.ts";
export type { LintCode } from "./lint-code.ts";
export {
  type LintProblem,
  type PlaceRange,
  problem as lintProblem,
  problemPlace,
  type RelatedPlace,
  relatedPlace,
} from "./problem.ts";
