// Lists are arrays or ListValues; these helpers read either. A hole in a sparse array, or an undefined element, is null.

import { isList } from "./box.ts";
import { type CelError, noSuchOverload } from "./error.ts";
import { ListValue, type Value } from "./value.ts";

export type List = readonly Value[] | ListValue;

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

/** `a + b`. An empty side answers with the other list itself. */
export function concatLists(a: List, b: Value): List | CelError {
  if (a instanceof ListValue && a.concat !== undefined) return a.concat(b) as List | CelError;
  if (!isList(b)) return noSuchOverload();
  if (listSize(a) === 0) return b;
  if (listSize(b) === 0) return a;
  return [...toArray(a), ...toArray(b)];
}
