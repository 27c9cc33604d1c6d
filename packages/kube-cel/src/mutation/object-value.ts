// `Object{…}` of mutating policies: parts of an object, written as values of types that are named after the path they stand at
// (`Object.spec.containers`). Their fields are unknown while compiling; names are checked when the value is used. Upstream: apiserver
// pkg/cel/mutation/dynamic/objects.go.

import { quoteGo } from "@celadon/base";
import { DYN, isError, ListValue, StructValue, struct, type Type, type Value } from "@celadon/cel";
import type { StructType } from "@celadon/cel/types";
import { equal, isList, isMap, mapFind, mapKeys, toArray } from "@celadon/cel/values";

/** The type of `Object{…}`. */
export const OBJECT: Type = struct("Object");

/** A part of an object that an expression made, to be applied. */
export class ObjectValue extends StructValue {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  /** A field that is not set is null. */
  override get(field: string): Value {
    return this.fields.get(field) ?? null;
  }

  override has(field: string): boolean {
    return this.fields.has(field);
  }

  override parts(): Iterable<Value> {
    return this.fields.values();
  }

  override isZero(): boolean {
    return this.fields.size === 0;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      if (!other.fields.has(name) || equal(value, other.fields.get(name)) !== true) return false;
    }
    return true;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.fields);
  }
}

/** The type of a name: `Object`, or anything below it. */
export function objectType(name: string): StructType {
  const type = name === "Object" ? OBJECT : struct(name);
  return {
    type,
    named: false,
    field: (field) => ({
      name: field,
      type: DYN,
      get: (target) => (target instanceof ObjectValue ? target.get(field) : null),
      has: (target) => target instanceof ObjectValue && target.has(field),
    }),
    fieldNames: () => [],
    create: (fields) => new ObjectValue(type, new Map(fields)),
  };
}

/** Problems of the type names inside a value: each must be the name for its place. */
export function typeNameProblems(value: ObjectValue): readonly string[] {
  const problems: string[] = [];
  checkNames(value, value.type.name, problems);
  return problems;
}

// Lists and maps have no names of their own: their elements have the name of the field.
function checkNames(value: Value, path: string, problems: string[]): void {
  if (value instanceof ObjectValue) {
    if (value.type.name !== path) {
      problems.push(
        `unexpected type name ${quoteGo(value.type.name)}, expected ${quoteGo(path)}, which matches field name path from root Object type`,
      );
    }
    for (const [name, field] of value.fields) checkNames(field, `${path}.${name}`, problems);
  } else if (isList(value)) {
    // A list made by `+` holds Go values, which have no names.
    if (value instanceof ListValue) return;
    const items = toArray(value);
    if (!isError(items)) for (const item of items as readonly Value[]) checkNames(item, path, problems);
  } else if (isMap(value)) {
    for (const key of mapKeys(value)) checkNames(mapFind(value, key), path, problems);
  }
}
