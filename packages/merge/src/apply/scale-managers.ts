// The owners of an object's replicas, as its Scale shows them. Managers that updated are distinguished by the version they wrote in, which
// is another one in the Scale: like upstream, the replicas of such a manager come back in an entry of their own. Upstream: apimachinery
// pkg/util/managedfields/scalehandler.go.

import { type Invalid, isInvalid } from "@celadon/kube/errors";
import { FieldSet } from "../fieldpath/field-set.ts";
import type { Path } from "../fieldpath/path-element.ts";
import {
  identifierOf,
  type ManagedFieldsEntry,
  type Manager,
  readManagedFields,
  writeManagedFields,
} from "./managed-fields.ts";

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS: Path = ["f:spec", "f:replicas"];

/** The path of an object's replicas: undefined for versions that are not known, null for those without a Scale. */
export type ReplicasPath = (apiVersion: string) => Path | null | undefined;

type Entries = readonly ManagedFieldsEntry[] | undefined;

/** managedFields of the Scale of an object. */
export function scaleManagedFields(parent: unknown, pathOf: ReplicasPath): Entries | Invalid {
  const managers = readManagedFields(parent);
  if (isInvalid(managers)) return managers;
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const path = pathOf(manager.apiVersion);
    if (!path || !manager.set.has(path)) continue;
    result.set(id, { ...manager, apiVersion: SCALE_VERSION, set: FieldSet.of(REPLICAS) });
  }
  return writeManagedFields(result);
}

/** managedFields of the object after a write to its Scale, which was made through `apiVersion` of the object. */
export function parentManagedFields(
  parent: unknown,
  scale: unknown,
  apiVersion: string,
  pathOf: ReplicasPath,
): Entries | Invalid {
  const [before, after] = [readManagedFields(parent), readManagedFields(scale)];
  if (isInvalid(before)) return before;
  if (isInvalid(after)) return after;
  const left = new Map(after);
  const result: Manager[] = [];
  for (const [id, manager] of before) {
    const path = pathOf(manager.apiVersion);
    if (path === undefined) continue;
    if (path === null || !manager.set.has(path) || left.delete(id)) result.push(manager);
    else {
      const set = manager.set.difference(FieldSet.of(path));
      if (!set.isEmpty) result.push({ ...manager, set });
    }
  }
  for (const [id, manager] of left) {
    const path = pathOf(apiVersion);
    if (!path || !manager.set.has(REPLICAS)) continue;
    result.push({ ...manager, apiVersion, set: FieldSet.of(path), time: before.get(id)?.time });
  }
  // Two entries may have one identifier, so they are written one by one.
  return writeManagedFields(new Map(result.map((manager, i) => [`${identifierOf(manager)} ${i}`, manager])));
}
