// The built-in table's text → types and resources, each line read when first needed.
//
// FIELDS      field names, separated by blanks; other lines name a field by its place in base 36
// TYPES       name|field(: or !)type …        `!` marks a required field
// RESOURCES   group|version|kind|resource|type|scope|verbs|subresource:verbs:type,…
// Types: s string, b boolean, i int32, l int64, d double, t date-time, B bytes, x int-or-string, * anything,
// [T list, {T map, #n the type of line n.

import type { Schema } from "../schema/schema.ts";
import { FIELDS, TYPES } from "./generated/builtin-table.ts";

type OpenSchema = { -readonly [K in keyof Schema]: Schema[K] };

const SCALARS: Readonly<Record<string, Schema>> = {
  s: { type: "string" },
  b: { type: "boolean" },
  i: { type: "integer", format: "int32" },
  l: { type: "integer", format: "int64" },
  d: { type: "number", format: "double" },
  t: { type: "string", format: "date-time" },
  B: { type: "string", format: "byte" },
  x: { intOrString: true },
  "*": { preserveUnknownFields: true },
};

let fields: readonly string[] | undefined;
let types: readonly string[] | undefined;
const schemas = new Map<number, OpenSchema>();

/** The schema on a line of TYPES. Types that contain themselves end at the schema they started from. */
export function schemaAt(line: number): Schema {
  const known = schemas.get(line);
  if (known !== undefined) return known;
  fields ??= FIELDS.split(" ");
  types ??= TYPES.split("\n");
  const text = types[line] ?? "";
  const bar = text.indexOf("|");
  const schema: OpenSchema = { name: text.slice(0, bar), type: "object" };
  schemas.set(line, schema);
  const properties = new Map<string, Schema>();
  const required: string[] = [];
  for (const entry of text.slice(bar + 1).split(" ")) {
    const mark = entry.search(/[:!]/);
    if (mark === -1) continue;
    const name = fields[Number.parseInt(entry.slice(0, mark), 36)]!;
    if (entry[mark] === "!") required.push(name);
    properties.set(name, schemaOf(entry.slice(mark + 1)));
  }
  schema.properties = properties;
  if (required.length > 0) schema.required = required;
  return schema;
}

function schemaOf(code: string): Schema {
  switch (code[0]) {
    case "[":
      return { type: "array", items: schemaOf(code.slice(1)) };
    case "{":
      return { type: "object", additionalProperties: schemaOf(code.slice(1)) };
    case "#":
      return schemaAt(Number.parseInt(code.slice(1), 36));
    default:
      return SCALARS[code]!;
  }
}
