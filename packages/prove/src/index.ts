// Answers about all objects: `@celadon/prove`. Without files, sockets or Node, so a page can load it on demand.

export type { Counterexample, ProofAnswer, Question } from "./question/answer.ts";
export { compareSets, proveThat, type Relation, type SetComparison } from "./question/compare-sets.ts";
export { DEFAULT_LIMITS, type SearchLimits } from "./question/explore.ts";
export { PolicyProver } from "./question/policy-question.ts";
export type { ProveOptions } from "./question/search-all.ts";
export { statementError } from "./question/statement.ts";
export { type AskOptions, askAll } from "./report/ask-all.ts";
export {
  type AskedQuestion,
  isNote,
  type ProvedSystem,
  type QuestionName,
  reasonOf,
  sentenceOf,
} from "./report/asked.ts";
export { exampleCase, suiteCase } from "./report/suite-case.ts";
