// When two types are the same. A wrapper counts as the type it wraps, everywhere but in the question of null: the
// reference keeps one kind for both.

import type { Kind, Type } from "../value/type.ts";

/** The kind to compare by: `wrapper(int)` is an int. */
export function kindOf(type: Type): Kind {
  return type.kind === "wrapper" ? (type.params[0] as Type).kind : type.kind;
}

export function isDyn(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "any";
}

/** The same type to the name of every type parameter. */
export function isSameType(a: Type, b: Type): boolean {
  return compare(a, b, true);
}

/** The same type with any names of parameters. */
export function isEquivalentType(a: Type, b: Type): boolean {
  return compare(a, b, false);
}

function compare(a: Type, b: Type, paramNames: boolean): boolean {
  if (a === b) {
    return a.kind !== "untyped";
  }
  if (kindOf(a) !== kindOf(b)) {
    return false;
  }
  if (a.kind === "untyped") {
    return false;
  }
  if ((paramNames || a.kind !== "param") && a.name !== b.name) {
    return false;
  }
  if (a.kind === "wrapper" || b.kind === "wrapper") {
    return true;
  }
  if (a.params.length !== b.params.length) {
    return false;
  }
  for (let i = 0; i < a.params.length; i++) {
    if (!compare(a.params[i] as Type, b.params[i] as Type, paramNames)) {
      return false;
    }
  }
  return true;
}
