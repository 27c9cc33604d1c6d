// Answers about all objects: `@celadon/prove`.

export type { Answer, Counterexample, Question } from "./question/answer.ts";
export { DEFAULT_LIMITS, type Limits } from "./question/explore.ts";
export { PolicyProver } from "./question/policy-question.ts";
export type { ProveOptions } from "./question/search-all.ts";
