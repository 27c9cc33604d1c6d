// The fields a value sets, which a manager owns after it applied the value. Upstream: structured-merge-diff typed/tofieldset.go.

import { Invalid } from "@celadon/kube/errors";
import { type FieldNode, FieldSet, MEMBER } from "../fieldpath/field-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, UNDECLARED } from "../schema/merge-type.ts";
import { isEmptyMap, isMap } from "../value/value.ts";
import { formIn } from "./forms.ts";
import { itemElement } from "./item-element.ts";
import { isPlainScalar } from "./validate.ts";

/** The fields that a value has. */
export function fieldSetOf(type: MergeType, value: unknown): FieldSet {
  return nodeOf(type, value).children ?? new FieldSet();
}

const NOTHING: FieldNode = { member: false, children: undefined };

function nodeOf(type: MergeType, value: unknown): FieldNode {
  if (isPlainScalar(type.scalar, value)) return MEMBER;
  switch (formIn(type, value)) {
    case "map":
      return mapNode(type.map!, value);
    case "list":
      return listNode(type.list!, value);
    case "scalar":
      return MEMBER;
    case "none":
      return NOTHING;
  }
}

function mapNode(type: MapType, value: unknown): FieldNode {
  if (type.atomic) return MEMBER;
  if (!isMap(value)) return NOTHING;
  const set = new FieldSet();
  for (const key of Object.keys(value)) {
    const item = value[key];
    const field = type.field(key);
    const { member, children } = nodeOf(field?.type ?? type.others ?? UNDECLARED, item);
    const isMember = member || item === null || field === undefined || (isMap(item) && isEmptyMap(item));
    if (isMember && children === undefined) set.nodes.set(fieldElement(key), MEMBER);
    else add(set, fieldElement(key), isMember, children);
  }
  return { member: false, children: set.nodes.size === 0 ? undefined : set };
}

function listNode(type: ListType, value: unknown): FieldNode {
  if (!type.associative) return MEMBER;
  if (!Array.isArray(value)) return NOTHING;
  const set = new FieldSet();
  const seen = new Set<PathElement>();
  for (const item of value) {
    const element = itemElement(type, item);
    if (element instanceof Invalid) continue;
    // Several items with the same keys are owned as one thing, without their fields.
    const children = seen.has(element) ? undefined : nodeOf(type.items, item).children;
    seen.add(element);
    set.nodes.set(element, { member: true, children });
  }
  return { member: false, children: set.nodes.size === 0 ? undefined : set };
}

function add(set: FieldSet, element: PathElement, member: boolean, children: FieldSet | undefined): void {
  if (member || children !== undefined) set.nodes.set(element, { member, children });
}
