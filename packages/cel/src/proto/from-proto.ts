// Host messages into CEL: one by one with `fromProto`, or as variables declared with `messageType`.

import { type DescMessage, isMessage, type Message, type Registry } from "@bufbuild/protobuf";
import { WELL_KNOWN_TYPES } from "../types/well-known-names.ts";
import { type CelError, celError } from "../value/error.ts";
import { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { catalogOf, type ProtoOptions } from "./catalog.ts";

/** A message as a CEL value: wrappers are their scalar, Struct a map, Any its content, other messages a MessageValue. */
export function fromProto(message: Message, registry: Registry, options?: ProtoOptions): Value | CelError {
  const catalog = catalogOf(registry, options);
  const desc = catalog.message(message.$typeName);
  return desc === undefined
    ? celError("conversion", `unknown type: '${message.$typeName}'`)
    : catalog.read(desc, message);
}

/** The type of variables that hold messages as the host has them. */
export function messageType(desc: DescMessage, registry: Registry, options?: ProtoOptions): Type {
  const known = WELL_KNOWN_TYPES.get(desc.typeName);
  const adapter = { toValue: (raw: unknown) => (isMessage(raw) ? fromProto(raw, registry, options) : raw) };
  return new Type(known?.kind ?? "struct", known?.name ?? desc.typeName, known?.params ?? [], adapter);
}
