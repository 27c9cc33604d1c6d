// Lists are arrays or ListValues; these helpers read either. A hole in a sparse array, or an undefined element, is null.

import { isList } from "../box.ts";
import { type CelError, noSuchOverload } from "../error.ts";
import { growBy } from "../size/work.ts";
import { Type } from "../type.ts";
import { ListValue, Opaque, Optional, StructValue, type Value } from "../value.ts";
import { ConcatList } from "./concat-list.ts";

/** A list in either representation: an array, or a list that makes its elements when they are read. */
export type List = readonly Value[] | ListValue;

/** The number of elements of a list. */
export function listSize(list: List): number {
  return list instanceof ListValue ? list.size : list.length;
}

/** The element at an index that is in range. */
export function listGet(list: List, index: number): Value | CelError {
  if (list instanceof ListValue) return list.get(index);
  const elem = list[index];
  return elem === undefined ? null : elem;
}

export function* listIterate(list: List): Generator<Value | CelError> {
  const size = listSize(list);
  for (let i = 0; i < size; i++) yield listGet(list, i);
}

/** The elements as an array without holes: the list itself when it already is one. */
export function toArray(list: List): readonly Value[] {
  if (list instanceof ListValue) return Array.from({ length: list.size }, (_, i) => list.get(i));
  return list.includes(undefined) ? Array.from(list, (elem) => (elem === undefined ? null : elem)) : list;
}

const NATIVE_STRINGS = new WeakSet<object>();

/** Marks a list of strings that the reference holds as a Go slice, which shows where a host reads the value behind a list. */
export function nativeStrings(list: string[]): string[] {
  NATIVE_STRINGS.add(list);
  return list;
}

/** Whether a list was marked by `nativeStrings`. */
export function isNativeStrings(list: Value): boolean {
  return Array.isArray(list) && NATIVE_STRINGS.has(list);
}

/** Shorter lists are sooner copied than looked up in two. */
const COPIED_MAX = 256;

/** `a + b`. An empty side answers with the other list itself, and long lists are not copied. */
export function concatLists(a: List, b: Value): List | CelError {
  if (a instanceof ListValue && a.concat !== undefined) return a.concat(b) as List | CelError;
  if (!isList(b)) return noSuchOverload();
  if (listSize(a) === 0) return b;
  if (listSize(b) === 0) return a;
  if (listSize(a) + listSize(b) > COPIED_MAX) return new ConcatList(a, b);
  growBy(listSize(a) + listSize(b));
  const elems = [...toArray(a), ...toArray(b)];
  return elems.some(isOtherInHost) ? new ConcatList(a, b) : elems;
}

const OTHER_IN_HOST = [Opaque, Optional, StructValue, Type, ConcatList];

/** Whether it matters that `+` made the list it is in (value/reopen.ts). */
function isOtherInHost(elem: Value): boolean {
  if (typeof elem !== "object" || elem === null) return false;
  return OTHER_IN_HOST.some((type) => elem instanceof type);
}
