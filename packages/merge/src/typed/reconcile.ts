// A set of owned fields after a schema changed: where a list, map or struct has become atomic, its owner owns it whole and nothing
// below it. Upstream: structured-merge-diff typed/reconcile_schema.go.

import { FieldSet } from "../fieldpath/field-set.ts";
import { fieldName, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, memberType, UNDECLARED } from "../schema/merge-type.ts";

/** Sets that were found to fit a type. */
const fitting = new WeakMap<FieldSet, MergeType>();

/** The same set if nothing has to change. */
export function reconcileFields(type: MergeType, set: FieldSet): FieldSet {
  if (fitting.get(set) === type) return set;
  const atomics = new FieldSet();
  reconcile(type, set, false, [], atomics);
  if (atomics.nodes.size > 0) return set.recursiveDifference(atomics).union(atomics);
  fitting.set(set, type);
  return set;
}

function reconcile(
  type: MergeType,
  set: FieldSet | undefined,
  whole: boolean,
  path: PathElement[],
  atomics: FieldSet,
): void {
  if (type.map !== undefined) reconcileMap(type.map, set, whole, path, atomics);
  else if (type.scalar === undefined && type.list !== undefined) reconcileList(type.list, set, whole, path, atomics);
}

function reconcileMap(
  type: MapType,
  set: FieldSet | undefined,
  whole: boolean,
  path: PathElement[],
  atomics: FieldSet,
): void {
  if (type.deduced) return;
  if (!whole && type.atomic) {
    if (set !== undefined && !set.isEmpty) atomics.insert(path);
    return;
  }
  descend(set, path, atomics, (element) => {
    const name = fieldName(element);
    return name === undefined ? type.others : memberType(type, name);
  });
}

function reconcileList(
  type: ListType,
  set: FieldSet | undefined,
  whole: boolean,
  path: PathElement[],
  atomics: FieldSet,
): void {
  if (!whole && !type.associative) atomics.insert(path);
  else descend(set, path, atomics, () => type.items);
}

function descend(
  set: FieldSet | undefined,
  path: PathElement[],
  atomics: FieldSet,
  typeOf: (element: PathElement) => MergeType | undefined,
): void {
  if (set === undefined) return;
  for (const [element, { member, children }] of set.nodes) {
    const type = typeOf(element);
    if (type === undefined || type === UNDECLARED) continue;
    path.push(element);
    reconcile(type, children, member && children === undefined, path, atomics);
    path.pop();
  }
}
