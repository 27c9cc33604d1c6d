// The messages of google.protobuf that CEL sees as values of its own: the CEL type of each, and the form in which @bufbuild/protobuf keeps
// such a field (wrappers in singular fields are bare scalars, Struct fields are JSON objects).

import type { DescField, DescFile, DescMessage } from "@bufbuild/protobuf";
import {
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from "@bufbuild/protobuf/wkt";
import { WELL_KNOWN_TYPES } from "../types/well-known-names.ts";

/** Always known, even if the registry lacks them. */
export const wellKnownFiles: readonly DescFile[] = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

/** Names of the messages that wrap a scalar. */
export const wrappers: ReadonlySet<string> = new Set(
  [...WELL_KNOWN_TYPES].filter(([, type]) => type.kind === "wrapper").map(([name]) => name),
);

/** Whether a field of this wrapper message holds the bare scalar. */
export function isBareWrapper(field: DescField, message: DescMessage): boolean {
  return wrappers.has(message.typeName) && field.fieldKind === "message" && field.oneof === undefined;
}

/** Whether a Struct in this field is a JSON object; only google.protobuf.Value keeps the message. */
export function isJsonStruct(field: DescField): boolean {
  return field.parent.typeName !== "google.protobuf.Value";
}
