// The interfaces of mutating policies to the outside, beyond those of all policies.

import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import type { Invalid } from "@celadon/kube/errors";
import type { MergeType } from "@celadon/merge";
import type { Hosts, Maybe, Reading } from "../hosts.ts";

/** The types of kinds, for merging. */
export interface MutatingHosts extends Hosts {
  /**
   * The type of a kind. `none` where the group and version are known and have no such type; undefined where not even those are, as
   * shortly after a definition was created.
   */
  mergeType?(kind: GroupVersionKind): Maybe<MergeType | "none" | undefined>;
  /** The object as the server holds it after a patch: read as its kind, with defaults. */
  complete?(object: KubeObject, kind: GroupVersionKind, reading: Reading): Maybe<KubeObject | Invalid>;
}
