// Reaching into messages: a field's property, whichever oneof it belongs to, and extensions in the guise of fields.

import type { DescExtension, DescField, Message } from "@bufbuild/protobuf";

/** Reads a field of a message in the library's form; undefined when nothing is set and there is no default. */
export function rawField(message: Message, field: DescField): unknown {
  const properties = message as unknown as Record<string, unknown>;
  if (field.oneof === undefined) return properties[field.localName];
  const chosen = properties[field.oneof.localName] as { case: string | undefined; value?: unknown } | undefined;
  return chosen?.case === field.localName ? chosen.value : undefined;
}

export function setField(message: Message, field: DescField, raw: unknown): void {
  const properties = message as unknown as Record<string, unknown>;
  if (field.oneof === undefined) properties[field.localName] = raw;
  else properties[field.oneof.localName] = { case: field.localName, value: raw };
}

/** An extension as the field it adds to its message. */
export function asField(extension: DescExtension): DescField {
  return {
    ...extension,
    kind: "field",
    parent: extension.extendee,
    localName: extension.typeName,
  } as unknown as DescField;
}
