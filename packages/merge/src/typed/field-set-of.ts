// The fields a value sets: what a manager owns after it applied the value. Upstream: structured-merge-diff typed/tofieldset.go.

import { Invalid } from "@celadon/kube";
import { type FieldNode, FieldSet } from "../fieldpath/field-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, memberType } from "../schema/merge-type.ts";
import { isEmptyMap, isMap } from "../value/value.ts";
import { formIn } from "./forms.ts";
import { itemElement } from "./item-element.ts";

export function fieldSetOf(type: MergeType, value: unknown): FieldSet {
  return nodeOf(type, value).children ?? new FieldSet();
}

const MEMBER: FieldNode = { member: true, children: undefined };
const NOTHING: FieldNode = { member: false, children: undefined };

function nodeOf(type: MergeType, value: unknown): FieldNode {
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
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item = value[key];
    const node = nodeOf(memberType(type, key), item);
    const member = node.member || item === null || (isMap(item) && isEmptyMap(item)) || type.field(key) === undefined;
    add(set, fieldElement(key), member, node.children);
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
