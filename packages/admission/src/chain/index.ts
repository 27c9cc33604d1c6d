// The admission chain: `@celadon/admission/chain`.

export type {
  Chain,
  ChainHosts,
  ChainOptions,
} from "./chain.ts";
export {
  type MutatedRequest,
  type MutatingPass,
  type MutationChain,
  mutateRequest,
  mutatorsOf,
} from "./mutate-request.ts";
export { type MutationStep, mutationSteps } from "./steps.ts";
export { webhookHostsOf } from "./webhook-hosts.ts";
