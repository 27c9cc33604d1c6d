// The schema of a field, as markdown.

import type { Schema } from "@celadon/kube/schemas";

/** Undefined when it says no more than its type. */
export function schemaText(schema: Schema): string | undefined {
  const limits = [
    ...(schema.enum === undefined
      ? []
      : [`one of ${schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ")}`]),
    ...(schema.format === undefined ? [] : [`format \`${schema.format}\``]),
    ...(schema.pattern === undefined ? [] : [`pattern \`${schema.pattern}\``]),
    ...bounds("length", schema.minLength, schema.maxLength),
    ...bounds("items", schema.minItems, schema.maxItems),
    ...bounds("entries", schema.minProperties, schema.maxProperties),
    ...bounds("value", schema.minimum, schema.maximum),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
    ...(schema.listType === "map"
      ? [`a list keyed by ${(schema.listMapKeys ?? []).map((key) => `\`${key}\``).join(", ")}`]
      : []),
    ...(schema.listType === "set" ? ["a set: elements must be unique"] : []),
  ];
  const parts = [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(limits.length > 0 ? [limits.join(" · ")] : []),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function bounds(what: string, least: number | undefined, most: number | undefined): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`${what} ≤ ${most}`];
  return [most === undefined ? `${what} ≥ ${least}` : `${what} ${least}–${most}`];
}
