// Changes that a newer version of Kubernetes brings for the inputs: their kinds, and one of them as data.

import type { Minor } from "@celadon/kube-cel";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Subject } from "../../output/answer.ts";

/** In the order of the report: the gravest first. */
export const VERSION_CHANGES = [
  "rejected",
  "denied",
  "removed",
  "meaning",
  "unknown",
  "dropped",
  "accepted",
  "allowed",
  "served",
  "known",
  "stored",
  "defaulted",
  "undefaulted",
  "deprecated",
  "warned",
  "unwarned",
  "matched",
  "unmatched",
  "answer",
  "costlier",
  "cheaper",
] as const;

export type VersionChangeKind = (typeof VERSION_CHANGES)[number];

/** After these, something that worked does not, or does something else. */
export const WORSE: ReadonlySet<VersionChangeKind> = new Set([
  "rejected",
  "denied",
  "removed",
  "meaning",
  "unknown",
  "dropped",
]);
/** After these, a write is denied. */
export const DENYING: ReadonlySet<VersionChangeKind> = new Set(["rejected", "denied", "removed"]);

/** The words of the report. */
export const CHANGE_WORDS: Readonly<Record<VersionChangeKind, string>> = {
  rejected: "policies and definitions that are no longer accepted",
  denied: "objects that become denied",
  removed: "API versions that are no longer served",
  meaning: "expressions that mean something else",
  unknown: "fields that become unknown",
  dropped: "fields that are no longer stored",
  accepted: "policies and definitions that become accepted",
  allowed: "objects that become allowed",
  served: "API versions that become served",
  known: "fields that become known",
  stored: "fields that take effect",
  defaulted: "fields with a new default",
  undefaulted: "fields without their former default",
  deprecated: "newly deprecated",
  warned: "new warnings",
  unwarned: "warnings that are gone",
  matched: "policies that begin to match",
  unmatched: "policies that no longer match",
  answer: "denied with a different message",
  costlier: "expressions that cost more",
  cheaper: "expressions that cost less",
};

export interface VersionChange {
  readonly change: VersionChangeKind;
  readonly manifest: Manifest;
  readonly subject: Subject;
  /** The first version with the change. */
  readonly since: Minor;
  /** The first version without it again. */
  readonly until?: Minor;
  /** One line for people; empty where the field and its values say all. */
  readonly message: string;
  /** The field of the object, or the expression of the resource. */
  readonly path?: readonly (string | number)[];
  /** Values before and after: of a field, or a cost. Absent where there was none. */
  readonly was?: unknown;
  readonly now?: unknown;
  /** Too little to matter: it is counted, and listed where everything is. */
  readonly isMinor?: true;
}
