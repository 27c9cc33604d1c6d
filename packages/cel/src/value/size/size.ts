// Sizes as CEL counts them: strings by code point, bytes by byte, containers by entry. Cost formulas see the same sizes,
// and 1 for everything that has none.

import { isPlainObject } from "../box.ts";
import { mapSize } from "../collection/any-map.ts";
import { listSize } from "../collection/list.ts";
import { ListValue, MapValue, Opaque, Optional, type Value } from "../value.ts";
import { codePointCount } from "./measure.ts";

/** ⌈0.1 · lesser size⌉, unless the left operand's type has its own price. */
export function equalityCost(a: Value, b: Value): number {
  if (a instanceof Opaque && a.equalityCost !== undefined) return a.equalityCost;
  return Math.ceil(Math.min(costSize(a), costSize(b)) * 0.1);
}

/** The size that core formulas receive: an optional has the size of its value. */
export function costSize(v: Value): number {
  return typeof v === "object" && v instanceof Optional && v.hasValue ? costSize(v.value) : ownSize(v);
}

/** The size that libraries' formulas receive: every optional counts 1. */
export function ownSize(v: Value): number {
  if (typeof v === "string") return codePointCount(v);
  if (typeof v !== "object" || v === null) return 1;
  if (Array.isArray(v)) return v.length;
  if (v instanceof MapValue || isPlainObject(v)) return mapSize(v);
  if (v instanceof ListValue) return listSize(v);
  if (v instanceof Uint8Array) return v.length;
  if (v instanceof Opaque) return v.costSize;
  return 1;
}
