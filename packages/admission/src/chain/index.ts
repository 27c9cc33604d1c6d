// The admission chain: `@celadon/admission/chain`.

export {
  admitRequest,
  type Chain,
  type ChainHosts,
  type ChainOptions,
  type ChainReport,
  type Finish,
  type Finished,
} from "./chain.ts";
export {
  type MutatedRequest,
  type MutatingPass,
  type MutationChain,
  mutateRequest,
  mutatorsOf,
} from "./mutate-request.ts";
export { type MutationStep, mutationSteps } from "./steps.ts";
