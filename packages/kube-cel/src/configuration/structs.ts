// Go structs of the configurations, for the decoder of built-in kinds. A field's type is a word, a list of a type, or another struct.

import type { GoField, GoStruct, ValueType } from "@celadon/kube/types";

/** The type of a field: a scalar, a list, or a struct. `*` marks a pointer, which keeps an empty value. */
export type FieldType = "string" | "*string" | "bool" | "*bool" | GoStruct | readonly [FieldType];

/** A struct with fields by name; `types` has Go names of types that are no plain string. */
export function goStruct(
  goName: string,
  fields: Readonly<Record<string, FieldType>>,
  types: Readonly<Record<string, string>> = {},
): GoStruct {
  const made = Object.entries(fields).map(([name, type], index) => goField(name, index, type, types[name]));
  return {
    name: `apiserver/v1.${goName}`,
    goName,
    fields: made,
    byName: new Map(made.map((field) => [field.name, field])),
    always: [],
  };
}

function goField(name: string, index: number, type: FieldType, goType: string | undefined): GoField {
  const pointer = typeof type === "string" && type.startsWith("*");
  return {
    name,
    index,
    type: valueType(type, goType),
    pointer,
    omitempty: true,
    omitzero: false,
    always: false,
    dropsZero: !pointer && !isStruct(type),
    tellsEmpty: false,
    embedded: [],
  };
}

function valueType(type: FieldType, goType: string | undefined): ValueType {
  if (isList(type)) {
    const of = valueType(type[0], undefined);
    return { code: "list", goType: `[]${of.goType}`, of };
  }
  if (typeof type === "object") return { code: "struct", goType: `v1.${type.goName}`, struct: () => type };
  switch (type) {
    case "bool":
    case "*bool":
      return { code: "bool", goType: "bool" };
    default:
      return { code: "string", goType: goType ?? "string" };
  }
}

const isStruct = (type: FieldType): boolean => typeof type === "object" && !isList(type);
const isList = (type: FieldType): type is readonly [FieldType] => Array.isArray(type);
