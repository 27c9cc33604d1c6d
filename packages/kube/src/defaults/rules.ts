// The parts of tables of defaults. A rule gets a field's value, undefined if absent, and returns the new value. Objects have passed through
// their type: every struct exists and belongs to the function that fills it, so structs are filled in place; maps and lists of texts may be
// shared with the input and are replaced instead.

import type { Emulation } from "../emulation.ts";

export type Rule = (value: unknown, by: Emulation) => unknown;
export type Fields = Readonly<Record<string, Rule>>;
export type Struct = Record<string, unknown>;

export function isStruct(value: unknown): value is Struct {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A pointer: set where it is nil. */
export function whenUnset(value: string | number | boolean): Rule {
  return (given) => given ?? value;
}

/** The same for a value that has to be made anew each time. */
export function unsetTo(make: () => object): Rule {
  return (given) => given ?? make();
}

/** A field whose zero means absent: an empty text, the number 0. */
export function zero(value: string | number): Rule {
  return (given) => (isZero(given) ? value : given);
}

export function isZero(given: unknown): boolean {
  return given == null || given === "" || given === 0 || (Array.isArray(given) && given.length === 0);
}

/** The fields of a struct, if it is present. */
export function ofStruct(fields: Fields): Rule {
  const names = Object.keys(fields);
  const rules = Object.values(fields);
  return (given, by) => {
    if (!isStruct(given)) return given;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const before = given[name];
      const after = rules[i]!(before, by);
      if (after !== before) set(given, name, after);
    }
    return given;
  };
}

/** The same where a pointer that is nil becomes a struct. */
export function ensured(fields: Fields): Rule {
  const rule = ofStruct(fields);
  return (given, by) => rule(given ?? {}, by);
}

/** Every element of a list of structs. */
export function each(rule: Rule): Rule {
  return (given, by) => {
    if (Array.isArray(given)) for (const element of given) rule(element, by);
    return given;
  };
}

/** Every value of a map of structs. */
export function eachValue(rule: Rule): Rule {
  return (given, by) => {
    if (isStruct(given)) for (const key of Object.keys(given)) rule(given[key], by);
    return given;
  };
}

/** One rule after the other. */
export function sequence(...rules: readonly Rule[]): Rule {
  return (given, by) => rules.reduce((value, rule) => rule(value, by), given);
}

/** A rule that has to see the whole struct, and fills it. */
export function ofObject(fill: (struct: Struct, by: Emulation) => void): Rule {
  return (given, by) => {
    if (isStruct(given)) fill(given, by);
    return given;
  };
}

/** Undefined takes a field away. */
export function set(struct: Struct, name: string, value: unknown): void {
  if (value === undefined) delete struct[name];
  else struct[name] = value;
}

/** A map without some keys; undefined when none is left, the same map when it has none of them. */
export function withoutKeys(map: unknown, keys: readonly string[]): unknown {
  if (!isStruct(map) || !keys.some((key) => Object.hasOwn(map, key))) return map;
  const left = Object.entries(map).filter(([key]) => !keys.includes(key));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** A map with one more key, or another value for it. */
export function withKey(map: unknown, key: string, value: unknown): Struct {
  return Object.fromEntries([...Object.entries(isStruct(map) ? map : {}), [key, value]]);
}
