// A value without some of its fields. An emptied value becomes null, and an atomic one is removed whole when a field below it is named. The
// value is not changed. Upstream: structured-merge-diff typed/remove.go.

import { Invalid } from "@celadon/kube/errors";
import type { FieldSet } from "../fieldpath/field-set.ts";
import { fieldElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, memberType } from "../schema/merge-type.ts";
import { isMap, setOwn } from "../value/value.ts";
import { formIn } from "./forms.ts";
import { itemElement } from "./item-element.ts";

export function removeFields(type: MergeType, value: unknown, fields: FieldSet): unknown {
  switch (formIn(type, value)) {
    case "map":
      return fromMap(type.map!, value, fields);
    case "list":
      return fromList(type.list!, value, fields);
    case "scalar":
      return value;
    case "none":
      return null;
  }
}

function fromMap(type: MapType, value: unknown, fields: FieldSet): unknown {
  if (!isMap(value) || type.atomic) return null;
  const rest: Record<string, unknown> = {};
  let some = false;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const element = fieldElement(key);
    if (fields.nodes.get(element)?.member === true) continue;
    const below = fields.below(element);
    setOwn(rest, key, below === undefined ? value[key] : removeFields(memberType(type, key), value[key], below));
    some = true;
  }
  return some ? rest : null;
}

function fromList(type: ListType, value: unknown, fields: FieldSet): unknown {
  if (!Array.isArray(value) || !type.associative) return null;
  const rest: unknown[] = [];
  for (const item of value) {
    const element = itemElement(type, item);
    if (!(element instanceof Invalid)) {
      if (fields.nodes.get(element)?.member === true) continue;
      const below = fields.below(element);
      if (below !== undefined) {
        rest.push(removeFields(type.items, item, below));
        continue;
      }
    }
    rest.push(item);
  }
  return rest.length > 0 ? rest : null;
}
