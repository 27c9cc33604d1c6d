// The deletion of built-in objects.

import { groupResourceText, type KubeObject } from "@celadon/kube";
import { forbidden } from "@celadon/kube/status";
import type { Draft } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import type { Deletion } from "./strategy.ts";
import { ORPHANS, RETURNS_DELETED } from "./traits.ts";

/** The deletion of a built-in kind. */
export function builtinDeletion(resource: WrittenResource): Deletion {
  const name = groupResourceText(resource.storage);
  return {
    dependents: name === "events" ? "unsupported" : ORPHANS.has(name) ? "orphan" : "background",
    returnsObject: RETURNS_DELETED.has(name),
    ...(name === "pods" && { gracePeriod: podGracePeriod }),
    ...(resource.kind === "CustomResourceDefinition" && {
      isHeld: isFirstDeletion,
      mark: markDefinition,
      keepsGeneration: true,
    }),
    ...(name === "namespaces" && { refusal: namespaceRefusal, isHeld: hasSpecFinalizers, mark: markTerminating }),
  };
}

const DEFAULT_GRACE = 30;

/** A pod without a node has nobody to end it, so it goes at once. */
function podGracePeriod(pod: KubeObject, asked: number | undefined): number {
  const spec = (pod.spec ?? {}) as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const { phase } = (pod.status ?? {}) as { phase?: string };
  if (!spec.nodeName || phase === "Failed" || phase === "Succeeded") return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
  return seconds < 0 ? 1 : seconds;
}

const IMMORTAL = ["default", "kube-system", "kube-public"];

function namespaceRefusal({ metadata }: KubeObject): ReturnType<typeof forbidden> | undefined {
  const { name = "" } = metadata ?? {};
  if (!IMMORTAL.includes(name)) return undefined;
  return forbidden({ group: "", resource: "namespaces" }, name, "this namespace may not be deleted");
}

/** Holds a definition back until its objects are gone. */
export const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

function isFirstDeletion({ metadata }: KubeObject): boolean {
  return !metadata?.deletionTimestamp;
}

function markDefinition(definition: Draft, now: string): void {
  const { metadata } = definition;
  metadata.finalizers ??= [];
  if (!metadata.finalizers.includes(CLEANUP)) metadata.finalizers.push(CLEANUP);
  const { conditions, ...status } = (definition.status ?? {}) as { conditions?: { type?: string }[] | null };
  const terminating = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: now,
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  const others = (conditions ?? []).filter(({ type }) => type !== "Terminating");
  definition.status = { conditions: [...others, terminating], ...status };
}

function hasSpecFinalizers({ spec }: KubeObject): boolean {
  return ((spec as { finalizers?: unknown[] } | undefined)?.finalizers ?? []).length > 0;
}

function markTerminating(namespace: Draft): void {
  namespace.status = { ...(namespace.status as object), phase: "Terminating" };
}
