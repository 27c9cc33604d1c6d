// The variables that stand for type parameters while an expression is checked. They carry no state, so every check shares
// the same objects: variable 7 of one check is variable 7 of all.

import { Type } from "../value/type.ts";

export class TypeVar extends Type {
  readonly index: number;
  constructor(index: number) {
    super("param", `_var${index}`); // the reference's name for it, seen in messages about what was never resolved
    this.index = index;
  }
}

/** Enough for ordinary expressions; beyond, variables are made on request. */
const POOL_SIZE = 4096;
const pool: TypeVar[] = [];

export function typeVar(index: number): TypeVar {
  if (index >= POOL_SIZE) {
    return new TypeVar(index);
  }
  while (pool.length <= index) {
    pool.push(new TypeVar(pool.length));
  }
  return pool[index] as TypeVar;
}
