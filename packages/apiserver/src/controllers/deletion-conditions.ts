// The conditions of a namespace that is being deleted. Upstream: kubernetes pkg/controller/namespace/deletion/status_condition_utils.go.

import type { ServedResource } from "../kinds/resource.ts";
import type { ServerReply } from "./controller.ts";

export interface Remaining {
  readonly resource: ServedResource;
  readonly objects: ServerReply["items"];
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

type Wanted = Omit<Condition, "lastTransitionTime">;

const FINE: readonly Wanted[] = [
  fine("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
  fine(
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ),
  fine(
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ),
];

function fine(type: string, reason: string, message: string): Wanted {
  return { type, status: "False", reason, message };
}

/** Conditions keep their times while they do not change. */
export function deletionConditions(
  left: readonly Remaining[],
  before: readonly Condition[],
  now: string,
): readonly Condition[] {
  const ours = [...FINE, remaining(left), finalizers(left)].map((wanted): Condition => {
    const old = before.find(({ type }) => type === wanted.type);
    return { ...wanted, lastTransitionTime: old?.status === wanted.status ? old.lastTransitionTime : now };
  });
  return [...before.filter(({ type }) => !ours.some((condition) => condition.type === type)), ...ours];
}

function remaining(left: readonly Remaining[]): Wanted {
  const texts = left.map(
    ({ resource: { resource, group }, objects }) => `${resource}.${group} has ${objects.length} resource instances`,
  );
  const message = `Some resources are remaining: ${texts.sort().join(", ")}`;
  return { type: "NamespaceContentRemaining", status: "True", reason: "SomeResourcesRemain", message };
}

function finalizers(left: readonly Remaining[]): Wanted {
  const type = "NamespaceFinalizersRemaining";
  const counts = new Map<string, number>();
  for (const { objects } of left) {
    for (const { metadata } of objects) {
      for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  if (counts.size === 0) {
    return {
      type,
      status: "False",
      reason: "ContentHasNoFinalizers",
      message: "All content-preserving finalizers finished",
    };
  }
  const texts = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name} in ${n} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${texts.join(", ")}`;
  return { type, status: "True", reason: "SomeFinalizersRemain", message };
}
