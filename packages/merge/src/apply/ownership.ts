// The owners of fields after a write. An update takes every field it changes; an applied configuration takes the fields it sets, stops at
// fields that others own and it would change, and drops fields that it set before and leaves out now. Upstream: structured-merge-diff
// merge/update.go.

import { Invalid } from "@celadon/kube/errors";
import { type FieldPattern, FieldSet } from "../fieldpath/field-set.ts";
import type { Path } from "../fieldpath/path-element.ts";
import type { MergeType } from "../schema/merge-type.ts";
import { type Comparison, compareTyped } from "../typed/compare.ts";
import { fieldSetOf } from "../typed/field-set-of.ts";
import { mergeValues } from "../typed/merge.ts";
import { typeProblemsText } from "../typed/problem.ts";
import { reconcileFields } from "../typed/reconcile.ts";
import { removeFields } from "../typed/remove.ts";
import { type JsonMap, sameValue } from "../value/value.ts";
import type { Manager, Managers } from "./managed-fields.ts";

/** An object in one version, with its type in that version. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly type: MergeType;
  readonly value: JsonMap;
}

export interface Versions {
  /** The object in another version; undefined where there is no such version any more. */
  convert(object: TypedObject, apiVersion: string): TypedObject | Invalid | undefined;
  /** Fields that a write through this endpoint cannot change, in a version. */
  readonly ignored?: Pick<ReadonlyMap<string, FieldSet>, "get"> | undefined;
  /** The only fields that it can change, in a version. */
  readonly kept?: Pick<ReadonlyMap<string, FieldPattern>, "get"> | undefined;
}

export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

export class Conflicts {
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    this.conflicts = conflicts;
  }
}

export interface AppliedFields {
  /** Undefined where the object is as it was. */
  readonly object: JsonMap | undefined;
  readonly managers: Managers;
}

/** The managers after a write that is no apply: `id` owns the changed fields. */
export function updateOwnership(
  live: TypedObject,
  next: TypedObject,
  managers: Managers,
  id: string,
  self: Omit<Manager, "set">,
  versions: Versions,
): Managers | Invalid {
  const reconciled = reconcile(live, managers, versions);
  if (reconciled instanceof Invalid) return reconciled;
  const taken = take(live, next, reconciled, id, true, versions);
  if (taken instanceof Invalid || taken instanceof Conflicts) return taken as Invalid;
  const { comparison } = taken;
  const previous = taken.managers.get(id)?.set ?? new FieldSet();
  const set = ignore(
    previous.difference(comparison.removed).union(comparison.modified).union(comparison.added),
    next.apiVersion,
    versions,
  );
  const result = new Map(taken.managers);
  if (set.isEmpty) result.delete(id);
  else result.set(id, { ...self, apiVersion: next.apiVersion, operation: "Update", set });
  return result;
}

/** An applied configuration merged into the object, with the fields it then owns. */
export function applyConfiguration(
  live: TypedObject,
  config: TypedObject,
  managers: Managers,
  id: string,
  self: Omit<Manager, "set">,
  force: boolean,
  versions: Versions,
): AppliedFields | Conflicts | Invalid {
  const reconciled = reconcile(live, managers, versions);
  if (reconciled instanceof Invalid) return reconciled;
  const merged = mergeValues(live.type, live.value, config.value);
  if (merged.problems.length > 0) return new Invalid(`failed to merge config: ${typeProblemsText(merged.problems)}`);
  const last = reconciled.get(id);
  const set = ignore(fieldSetOf(config.type, config.value), config.apiVersion, versions);
  const owning = new Map(reconciled).set(id, { ...self, apiVersion: config.apiVersion, operation: "Apply", set });
  const pruned = prune({ ...live, value: merged.value as JsonMap }, owning, config.apiVersion, last, versions);
  if (pruned instanceof Invalid) return new Invalid(`failed to prune fields: ${pruned.message}`);
  const taken = take(live, pruned, owning, id, force, versions);
  if (taken instanceof Invalid || taken instanceof Conflicts) return taken;
  const unchanged = live.value === pruned.value || sameValue(live.value, pruned.value);
  return { object: unchanged ? undefined : pruned.value, managers: taken.managers };
}

function ignore(set: FieldSet, apiVersion: string, { ignored, kept }: Versions): FieldSet {
  const fields = ignored?.get(apiVersion);
  const pattern = kept?.get(apiVersion);
  const rest = fields === undefined ? set : set.recursiveDifference(fields);
  return pattern === undefined ? rest : rest.matching(pattern);
}

/** Sets of owned fields brought up to the schema of today. */
function reconcile(live: TypedObject, managers: Managers, versions: Versions): Managers | Invalid {
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const object = versions.convert(live, manager.apiVersion);
    if (object instanceof Invalid) return object;
    if (object === undefined) continue;
    const set = reconcileFields(object.type, manager.set);
    result.set(id, set === manager.set ? manager : { ...manager, set });
  }
  return result;
}

interface Taken {
  readonly managers: Managers;
  readonly comparison: Comparison;
}

/** Takes from all others the fields that the write changes or removes; without force, changing a field that others own is a conflict. */
function take(
  before: TypedObject,
  after: TypedObject,
  managers: Managers,
  id: string,
  force: boolean,
  versions: Versions,
): Taken | Conflicts | Invalid {
  const comparisons = new Map<string, Comparison>();
  const compare = (a: TypedObject, b: TypedObject): Comparison | Invalid => {
    const compared = compareTyped(a.type, a.value, b.value);
    if (compared.problems.length > 0) {
      return new Invalid(`failed to compare objects: ${typeProblemsText(compared.problems)}`);
    }
    return {
      removed: ignore(compared.removed, b.apiVersion, versions),
      modified: ignore(compared.modified, b.apiVersion, versions),
      added: ignore(compared.added, b.apiVersion, versions),
      problems: [],
    };
  };
  const own = compare(before, after);
  if (own instanceof Invalid) return own;
  comparisons.set(after.apiVersion, own);
  const result = new Map(managers);
  const conflicts: Conflict[] = [];
  for (const [other, manager] of managers) {
    if (other === id) continue;
    let comparison = comparisons.get(manager.apiVersion);
    if (comparison === undefined) {
      const [a, b] = [versions.convert(before, manager.apiVersion), versions.convert(after, manager.apiVersion)];
      if (a instanceof Invalid) return new Invalid(`failed to convert old object: ${a.message}`);
      if (b instanceof Invalid) return new Invalid(`failed to convert new object: ${b.message}`);
      if (a === undefined || b === undefined) {
        result.delete(other);
        continue;
      }
      const compared = compare(a, b);
      if (compared instanceof Invalid) return compared;
      comparison = compared;
      comparisons.set(manager.apiVersion, comparison);
    }
    const { removed, modified, added } = comparison;
    if (removed.nodes.size === 0 && modified.nodes.size === 0 && added.nodes.size === 0) continue;
    const lost = manager.set.intersection(modified.union(added));
    for (const path of lost.paths()) conflicts.push({ manager, path });
    const left = manager.set.difference(lost).difference(removed);
    if (left.isEmpty) result.delete(other);
    else result.set(other, { ...manager, set: left });
  }
  if (!force && conflicts.length > 0) return new Conflicts(conflicts);
  for (const [other, manager] of result) if (manager.set.isEmpty) result.delete(other);
  return { managers: result, comparison: own };
}

/**
 * The merged object without fields that the manager set last time and no manager sets now. Items that others still own stay, as do items
 * that contain fields of others.
 */
function prune(
  merged: TypedObject,
  managers: Managers,
  version: string,
  last: Manager | undefined,
  versions: Versions,
): TypedObject | Invalid {
  if (last === undefined || last.set.isEmpty) return merged;
  // Fields that are still set are added back below; with nothing else there is nothing to do.
  const now = [...managers.values()].find(
    (manager) => manager.apiVersion === last.apiVersion && manager.set.covers(last.set),
  );
  if (now !== undefined && last.apiVersion === version) return merged;
  const converted = versions.convert(merged, last.apiVersion);
  if (converted instanceof Invalid) {
    return new Invalid(`failed to convert merged object to last applied version: ${converted.message}`);
  }
  if (converted === undefined) return merged;
  const named = last.set.withNamedFields(converted.type);
  const pruned = { ...converted, value: removeFields(converted.type, converted.value, named) as JsonMap };
  const kept = addBackOwned(converted, pruned, managers, last.apiVersion, versions);
  if (kept instanceof Invalid) return new Invalid(`failed add back owned items: ${kept.message}`);
  const whole = addBackDangling(converted, kept, last, versions);
  if (whole instanceof Invalid) return new Invalid(`failed add back dangling items: ${whole.message}`);
  const back = versions.convert(whole, version);
  return back ?? new Invalid(`no version ${version}`);
}

function addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  managers: Managers,
  prunedVersion: string,
  versions: Versions,
): TypedObject | Invalid {
  const managed = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    managed.set(apiVersion, managed.get(apiVersion)?.union(set) ?? set);
  }
  // The pruned version first: later ones may not convert without fields that are added back here.
  const order = [...managed.keys()].sort((a, b) => Number(b === prunedVersion) - Number(a === prunedVersion));
  let [whole, rest] = [merged, pruned];
  for (const version of order) {
    const object = versions.convert(whole, version);
    const without = versions.convert(rest, version);
    if (object instanceof Invalid) {
      return new Invalid(`failed to convert merged object at version ${version}: ${object.message}`);
    }
    if (without instanceof Invalid) {
      return new Invalid(`failed to convert pruned object at version ${version}: ${without.message}`);
    }
    if (object === undefined || without === undefined) continue;
    whole = object;
    const keep = fieldSetOf(without.type, without.value)
      .withNamedFields(object.type)
      .union(managed.get(version)!.withNamedFields(object.type));
    const drop = fieldSetOf(object.type, object.value).withNamedFields(object.type).difference(keep);
    rest = { ...object, value: removeFields(object.type, object.value, drop) as JsonMap };
  }
  return rest;
}

/** Items without an owner are not removed with their container. */
function addBackDangling(
  merged: TypedObject,
  pruned: TypedObject,
  last: Manager,
  versions: Versions,
): TypedObject | Invalid {
  const converted = versions.convert(pruned, last.apiVersion);
  if (converted instanceof Invalid) {
    return new Invalid(`failed to convert pruned object to last applied version: ${converted.message}`);
  }
  if (converted === undefined) return merged;
  const { type } = merged;
  const gone = fieldSetOf(type, merged.value)
    .withNamedFields(type)
    .difference(fieldSetOf(converted.type, converted.value).withNamedFields(type))
    .intersection(last.set.withNamedFields(type));
  return { ...merged, value: removeFields(type, merged.value, gone) as JsonMap };
}
