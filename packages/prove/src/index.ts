// Answers about all objects: `@celadon/prove`.

export type { Counterexample, ProofAnswer, Question } from "./question/answer.ts";
export { DEFAULT_LIMITS, type SearchLimits } from "./question/explore.ts";
export { PolicyProver } from "./question/policy-question.ts";
export type { ProveOptions } from "./question/search-all.ts";
