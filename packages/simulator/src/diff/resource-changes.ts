// Two sets of manifests side by side: added, removed and changed ones. Fields that a server writes by itself are no change: a file and a
// dump of the same policy are the same policy.

import { deepEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Manifest } from "../manifest/manifest.ts";
import { type Role, roleOf } from "../manifest/roles.ts";
import { identityOf } from "../simulated/simulated-cluster.ts";

/** A resource that was added, changed or removed. */
export interface ResourceChange {
  readonly role: Role;
  readonly change: "added" | "removed" | "changed";
  readonly was?: Manifest;
  readonly now?: Manifest;
}

/** Resources that differ between two sets of manifests. */
export function resourceChanges(old: Iterable<Manifest>, next: Iterable<Manifest>): readonly ResourceChange[] {
  const before = byIdentity(old);
  const after = byIdentity(next);
  const changes: ResourceChange[] = [];
  for (const [identity, was] of before) {
    const now = after.get(identity);
    const role = roleOf(was.object);
    if (now === undefined) changes.push({ role, change: "removed", was });
    else if (!sameResource(was.object, now.object)) changes.push({ role, change: "changed", was, now });
  }
  for (const [identity, now] of after) {
    if (!before.has(identity)) changes.push({ role: roleOf(now.object), change: "added", now });
  }
  return changes;
}

/** The last of several manifests of the same object counts, as in a simulated cluster. */
function byIdentity(manifests: Iterable<Manifest>): Map<string, Manifest> {
  return new Map([...manifests].map((manifest) => [identityOf(manifest.object), manifest]));
}

const SERVER_FIELDS: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** The roles whose status a controller derives from the spec. */
const WITH_STATUS: ReadonlySet<Role> = new Set([
  "policy",
  "binding",
  "mutatingPolicy",
  "mutatingBinding",
  "definition",
  "webhooks",
  "certificatePolicy",
]);

function sameResource(a: KubeObject, b: KubeObject): boolean {
  return a === b || deepEqual(asWritten(a), asWritten(b));
}

function asWritten(object: KubeObject): Record<string, unknown> {
  const { metadata, status, ...rest } = object as Record<string, unknown>;
  const kept = WITH_STATUS.has(roleOf(object)) || status === undefined ? rest : { ...rest, status };
  return { ...kept, metadata: metadataAsWritten(metadata) };
}

function metadataAsWritten(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return metadata;
  const kept = Object.entries(metadata).flatMap(([key, value]): (readonly [string, unknown])[] => {
    if (SERVER_FIELDS.has(key)) return [];
    if (key !== "annotations" || typeof value !== "object" || value === null) return [[key, value]];
    const annotations = Object.entries(value).filter(([name]) => name !== LAST_APPLIED);
    return annotations.length === 0 ? [] : [[key, Object.fromEntries(annotations)]];
  });
  return Object.fromEntries(kept);
}
