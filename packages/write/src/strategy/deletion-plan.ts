// The writes of a DELETE: finalizers by the requested propagation, the grace period, the marks of a deletion that has begun. Upstream:
// apiserver pkg/registry/rest/delete.go, pkg/registry/generic/registry/store.go.

import type { KubeObject } from "@celadon/kube";
import { type Draft, draftOf, objectOf } from "../draft.ts";
import { timestamp } from "../timestamp.ts";
import type { Deletion } from "./strategy.ts";

/** The finalizer of an object whose dependents are to be released before it goes. */
export const ORPHAN = "orphan";
/** The finalizer of an object whose dependents are to be deleted before it goes. */
export const FOREGROUND = "foregroundDeletion";

/** The wishes of a client for a deletion. */
export interface DeletionOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
}

/** The next step of a deletion. `pending`: it has begun and goes on without this request. */
export type DeletionPlan =
  | { readonly step: "pending" }
  | { readonly step: "mark"; readonly draft: Draft }
  | { readonly step: "remove"; readonly object: KubeObject };

/** Plans the writes of a DELETE: at once, after a grace period, or when the finalizers are gone. */
export function deletionPlan(deletion: Deletion, old: KubeObject, options: DeletionOptions, now: number): DeletionPlan {
  const before = old.metadata ?? {};
  const draft = draftOf(old);
  const finalizers = finalizersFor(deletion, before.finalizers ?? [], options);
  const grace = gracefully(deletion, old, options, now);
  if (grace === "pending") return { step: "pending" };
  if (grace !== undefined) Object.assign(draft.metadata, grace);
  if (finalizers.length > 0) draft.metadata.finalizers = [...finalizers];
  else delete draft.metadata.finalizers;
  if (grace !== undefined && (grace.deletionGracePeriodSeconds ?? 0) > 0)
    return { step: "mark", draft: counted(draft, old) };
  const isHeld = deletion.isHeld?.(old) ?? false;
  if (finalizers.length === 0 && !isHeld)
    return { step: "remove", object: grace === undefined ? old : objectOf(counted(draft, old)) };
  if (grace === undefined) {
    const present = before.deletionTimestamp;
    if (!present || Date.parse(present) > now) draft.metadata.deletionTimestamp = timestamp(now);
    if (finalizers.length > 0) draft.metadata.deletionGracePeriodSeconds = 0;
  }
  deletion.mark?.(draft, timestamp(now));
  return { step: "mark", draft: deletion.keepsGeneration ? draft : counted(draft, old) };
}

/** The beginning of a deletion is a change that controllers must see. */
function counted(draft: Draft, old: KubeObject): Draft {
  const generation = old.metadata?.generation ?? 0;
  if (!old.metadata?.deletionTimestamp && generation > 0) draft.metadata.generation = generation + 1;
  return draft;
}

type Grace = { readonly deletionTimestamp: string; readonly deletionGracePeriodSeconds: number };

/** Undefined: not gracefully. "pending": nothing to do any more. */
function gracefully(
  deletion: Deletion,
  old: KubeObject,
  options: DeletionOptions,
  now: number,
): Grace | "pending" | undefined {
  if (deletion.gracePeriod === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata ?? {};
  if (deletionTimestamp) {
    if (deletionGracePeriodSeconds === 0) return undefined;
    const asked = options.gracePeriodSeconds;
    if (asked === undefined || asked >= deletionGracePeriodSeconds) return "pending";
    const end = Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds - asked) * 1000;
    const isOver = end < now;
    return {
      deletionTimestamp: timestamp(isOver ? now : end),
      deletionGracePeriodSeconds: isOver && asked !== 0 ? 1 : asked,
    };
  }
  const seconds = deletion.gracePeriod(old, options.gracePeriodSeconds);
  if (seconds === undefined) return undefined;
  return { deletionTimestamp: timestamp(now + seconds * 1000), deletionGracePeriodSeconds: seconds };
}

/** With those that hold the object back until the garbage collector has seen to its dependents. */
function finalizersFor(deletion: Deletion, current: readonly string[], options: DeletionOptions): readonly string[] {
  if (deletion.dependents === "unsupported") return current;
  const { orphanDependents, propagationPolicy } = options;
  const kept = current.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  if (orphanDependents !== undefined) return orphanDependents ? [...kept, ORPHAN] : kept;
  if (propagationPolicy === "Orphan") return [...kept, ORPHAN];
  if (propagationPolicy === "Foreground") return [...kept, FOREGROUND];
  if (propagationPolicy === "Background") return kept;
  if (current.includes(ORPHAN) || current.includes(FOREGROUND)) return current;
  return deletion.dependents === "orphan" ? [...kept, ORPHAN] : kept;
}
