// Identifies an item of an associative list: by its key fields (their defaults where they are left out), or by its value in a set.
// Upstream: structured-merge-diff typed/helpers.go.

import { compareStrings, quoteGo } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { keyElementOf, keyFieldText, type PathElement, valueElement } from "../fieldpath/path-element.ts";
import type { ListType } from "../schema/merge-type.ts";
import { isMap } from "../value/value.ts";

export function itemElement(list: ListType, item: unknown): PathElement | Invalid {
  if (!list.associative) return new Invalid("invalid indexing of non-associative list");
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

const sorted = new WeakMap<readonly string[], readonly string[]>();

/** Keys are in the order of their names, not of their declaration. */
function sortedKeys({ keys }: ListType): readonly string[] {
  if (keys.length < 2) return keys;
  let found = sorted.get(keys);
  if (found === undefined) sorted.set(keys, (found = [...keys].sort(compareStrings)));
  return found;
}

function keyedElement(list: ListType, item: unknown): PathElement | Invalid {
  if (item === null || item === undefined) {
    return new Invalid("associative list with keys may not have a null element");
  }
  if (!isMap(item)) return new Invalid("associative list with keys may not have non-map elements");
  let fields = "";
  for (const name of sortedKeys(list)) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined) {
      fields = fields === "" ? keyFieldText(name, value) : `${fields},${keyFieldText(name, value)}`;
      continue;
    }
    if (list.items.map === undefined) {
      const first = list.keys.find((key) => !Object.hasOwn(item, key));
      return new Invalid(`couldn't find default value for ${first}: associative list may not have non-map types`);
    }
    // A key without a default is left out, and the item then differs from those that have it.
    const preset = list.items.map.field(name)?.default;
    if (preset === undefined || preset === null) continue;
    fields = fields === "" ? keyFieldText(name, preset) : `${fields},${keyFieldText(name, preset)}`;
  }
  if (fields !== "") return keyElementOf(fields);
  const names = `[${list.keys.map(quoteGo).join(" ")}]`;
  return new Invalid(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}

function setElement(item: unknown): PathElement | Invalid {
  if (isMap(item)) return new Invalid("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) return new Invalid("not supported: associative list with lists as elements");
  if (item === null || item === undefined) {
    return new Invalid("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}
