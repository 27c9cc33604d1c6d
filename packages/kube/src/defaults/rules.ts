// What the tables of defaults are made of. A rule takes a field's value, undefined where there is none, and answers what the
// field becomes: the same value when nothing changes. Nothing is written on what was given.

import { isRecord, setOwn } from "@celadon/base";

export type Rule = (value: unknown) => unknown;
export type Fields = Readonly<Record<string, Rule>>;
export type JsonObject = Readonly<Record<string, unknown>>;

/** An own field, null read as absent: so a decoder that knows the type reads it. */
export function get(object: JsonObject, field: string): unknown {
  return Object.hasOwn(object, field) ? (object[field] ?? undefined) : undefined;
}

/** A field that can be told from its zero: set where it is absent. */
export function unset(value: unknown): Rule {
  return (given) => given ?? value;
}

/** A field whose zero means absent: text that is empty, the number 0, an empty list. */
export function zero(value: unknown): Rule {
  return (given) => (isZero(given) ? value : given);
}

export function isZero(given: unknown): boolean {
  return given == null || given === "" || given === 0 || (Array.isArray(given) && given.length === 0);
}

/** The fields of an object, if there is one. */
export function within(fields: Fields): Rule {
  const rules = Object.entries(fields);
  return (given) => {
    if (!isRecord(given)) return given;
    let changed: Record<string, unknown> | undefined;
    for (const [field, rule] of rules) {
      const before = get(given, field);
      const after = rule(before);
      if (after === before || (after === null && Object.hasOwn(given, field))) continue;
      changed ??= { ...given };
      changed[field] = after;
    }
    return changed ?? given;
  };
}

/** The same for what is always there, as a struct in a struct is. */
export function always(fields: Fields): Rule {
  const rule = within(fields);
  return (given) => rule(given ?? {});
}

/** Every element of a list, or every value of a map. */
export function each(rule: Rule): Rule {
  return (given) => {
    if (Array.isArray(given)) return eachElement(given, rule);
    return isRecord(given) ? eachValue(given, rule) : given;
  };
}

function eachElement(given: readonly unknown[], rule: Rule): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let i = 0; i < given.length; i++) {
    const after = rule(given[i]);
    if (after === given[i]) continue;
    changed ??= [...given];
    changed[i] = after;
  }
  return changed ?? given;
}

function eachValue(given: JsonObject, rule: Rule): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(given)) {
    const after = rule(given[key]);
    if (after === given[key]) continue;
    changed ??= { ...given };
    setOwn(changed, key, after);
  }
  return changed ?? given;
}

/** One rule after the other. */
export function sequence(...rules: readonly Rule[]): Rule {
  return (given) => rules.reduce((value, rule) => rule(value), given);
}

/** A rule that has to see the whole object. */
export function whole(change: (object: JsonObject) => JsonObject): Rule {
  return (given) => (isRecord(given) ? change(given) : given);
}

/** The object with these fields, the same one if it has them already; undefined takes a field away. */
export function withFields(object: JsonObject, fields: JsonObject): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (value === undefined ? !Object.hasOwn(object, field) : get(object, field) === value) continue;
    copy ??= { ...object };
    put(copy, field, value);
  }
  return copy ?? object;
}

function put(object: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) delete object[field];
  else setOwn(object, field, value);
}
