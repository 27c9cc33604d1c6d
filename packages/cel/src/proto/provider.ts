// The types of a protobuf registry for environments: messages as struct types with literals, enum members and type names as
// identifiers.

import { create, type DescEnum, type Registry } from "@bufbuild/protobuf";
import type { Constant, StructType, TypeProvider } from "../types/provider.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { type Catalog, catalogOf, type MessageShape, messageTypeOf, type ProtoOptions } from "./catalog.ts";
import { setField } from "./fields.ts";
import { fieldWriter, type Write } from "./write.ts";

/** Struct types and constants of all messages and enums in the registry; google.protobuf's well-known types are always there. */
export function protoProvider(registry: Registry, options?: ProtoOptions): TypeProvider {
  const catalog = catalogOf(registry, options);
  const structs = new Map<string, StructType>();
  const idents = new Map<string, Type | Constant>();
  const prefixes = new Set([...catalog.registry].map((desc) => desc.typeName.slice(0, desc.typeName.indexOf("."))));
  return {
    findStruct(name) {
      const known = structs.get(name);
      if (known !== undefined) return known;
      const desc = catalog.message(name);
      if (desc === undefined) return undefined;
      const made = structType(catalog.shape(desc));
      structs.set(name, made);
      return made;
    },
    findIdent(name) {
      const known = idents.get(name);
      if (known !== undefined) return known;
      const made = ident(catalog, name);
      if (made !== undefined) idents.set(name, made);
      return made;
    },
    hasPrefix: (first) => prefixes.has(first),
  };
}

function ident(catalog: Catalog, name: string): Type | Constant | undefined {
  if (catalog.message(name) !== undefined) return messageTypeOf(name);
  const named = catalog.enums.strong ? catalog.registry.getEnum(name) : undefined;
  if (named !== undefined) return catalog.enums.type(named);
  const dot = name.lastIndexOf(".");
  const desc = catalog.registry.getEnum(name.slice(0, dot));
  return desc === undefined ? undefined : enumMember(catalog, desc, name, name.slice(dot + 1));
}

function enumMember(catalog: Catalog, desc: DescEnum, name: string, member: string): Constant | undefined {
  const value = desc.values.find((candidate) => candidate.name === member);
  if (value === undefined) return undefined;
  return {
    name,
    type: catalog.enums.type(desc),
    value: catalog.enums.reader(desc)(value.number),
  };
}

function structType(shape: MessageShape): StructType {
  const names = shape.desc.fields.map((field) => field.name);
  const known = new Set(names);
  const writers = new Map<string, Write>();
  const writer = (name: string): Write | undefined => {
    // Literals set declared fields only; extensions cannot be written.
    if (!known.has(name)) return undefined;
    let write = writers.get(name);
    const field = shape.field(name);
    if (write === undefined && field !== undefined) {
      write = fieldWriter(shape.catalog, field.desc);
      writers.set(name, write);
    }
    return write;
  };
  return {
    type: shape.type,
    field: (name) => shape.field(name),
    fieldNames: () => names,
    create: (fields) => createMessage(shape, fields, writer),
  };
}

function createMessage(
  shape: MessageShape,
  fields: ReadonlyMap<string, Value>,
  writer: (name: string) => Write | undefined,
): Value | CelError {
  const message = create(shape.desc);
  for (const [name, value] of fields) {
    const field = shape.field(name);
    const write = writer(name);
    if (field === undefined || write === undefined) return celError("no_such_field", `no such field: ${name}`);
    const raw = write(value);
    if (isError(raw)) return raw;
    if (raw !== undefined) setField(message, field.desc, raw);
  }
  return shape.catalog.read(shape.desc, message);
}
