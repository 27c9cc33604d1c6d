// The field that was probably meant by an unknown one.

import { type JsonPath, nearestName } from "@celadon/base";
import type { Schema } from "@celadon/kube/schemas";

/** The field that was probably meant; undefined if nothing comes close. */
export function meantField(schema: Schema | undefined, path: JsonPath): string | undefined {
  const name = String(path.at(-1) ?? "");
  const names = [...(schemaAt(schema, path.slice(0, -1))?.properties?.keys() ?? [])];
  return names.find((text) => text.toLowerCase() === name.toLowerCase()) ?? nearestName(name, names);
}

/** `did you mean "replicas"?`, or where the field belongs. */
export function unknownFieldHelp(schema: Schema | undefined, path: JsonPath): string | undefined {
  const name = String(path.at(-1) ?? "");
  const guess = meantField(schema, path);
  if (guess !== undefined) return `did you mean "${guess}"?`;
  const isAbove = schemaAt(schema, path.slice(0, -2))?.properties?.has(name) === true;
  return isAbove ? `move it one level up, next to "${String(path.at(-2))}"` : undefined;
}

/** The schema of a field, by its path in an object. */
export function schemaAt(schema: Schema | undefined, path: JsonPath): Schema | undefined {
  let found = schema;
  for (const step of path) {
    if (found === undefined) return undefined;
    const { additionalProperties } = found;
    found =
      typeof step === "number"
        ? found.items
        : (found.properties?.get(step) ??
          (typeof additionalProperties === "object" ? additionalProperties : undefined));
  }
  return found;
}
