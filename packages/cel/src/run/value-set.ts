// Membership in a list of constants, by look-up. Numbers find each other across int, uint and double as equality does.

import { bareDouble, isDouble } from "../value/box.ts";
import { toInt } from "../value/int.ts";
import { type Double, Uint, type Value } from "../value/value.ts";

export function valueSet(list: readonly Value[]): (value: Value) => boolean {
  const exact = new Set<Value>();
  const wide = new Set<number>(); // doubles beyond the safe integers, where int and double are compared as doubles
  for (const value of list) {
    if (isDouble(value)) {
      const n = bareDouble(value as number | Double);
      if (!isWide(n)) exact.add(n);
      else if (n === -(2 ** 63))
        wide.add(n); // which the reference holds to be no int
      else {
        wide.add(n);
        exact.add(BigInt(n));
      }
    } else {
      const plain = value instanceof Uint ? value.value : value;
      exact.add(plain);
      if (typeof plain === "bigint") wide.add(Number(plain));
    }
  }
  exact.delete(Number.NaN); // equals nothing, itself included
  return (value) => {
    if (typeof value === "string") return exact.has(value);
    if (value instanceof Uint) return exact.has(value.value);
    if (typeof value === "bigint") return exact.has(toInt(value));
    if (!isDouble(value)) return exact.has(value);
    const n = bareDouble(value as number | Double);
    return isWide(n) ? wide.has(n) : exact.has(n);
  };
}

const isWide = (n: number): boolean => Number.isInteger(n) && !Number.isSafeInteger(n);
