// @celadon/simulator/diff: two clusters, and how the outcomes of the same requests differ between them.

export {
  type CalledWebhook,
  CHANGE_KINDS,
  type ChangeKind,
  type Gone,
  type OutcomeChange,
  type ProblemChange,
  type Side,
  sideOf,
} from "../diff/change-of.ts";
export { ClusterPair, type ClusterPairSets, type Compared, type PairAsk } from "../diff/cluster-pair.ts";
export type { ReachCount } from "../diff/reached-policies.ts";
export type { ResourceChange } from "../diff/resource-changes.ts";
