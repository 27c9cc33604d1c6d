// The messages of a registry: a shape per message (its CEL type, its fields with their readers), made on first use and kept with the
// registry, so that values made by different providers of one registry are alike.

import {
  create,
  createRegistry,
  type DescExtension,
  type DescField,
  type DescMessage,
  getExtension,
  hasExtension,
  isFieldSet,
  isMessage,
  type Message,
  type Registry,
  ScalarType,
} from "@bufbuild/protobuf";
import type { Field } from "../types/provider.ts";
import { WELL_KNOWN_TYPES } from "../types/well-known-names.ts";
import { type CelError, celError } from "../value/error.ts";
import { listOf, mapOf, struct, type Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { type EnumForm, numbers } from "./enums.ts";
import { asField, rawField } from "./fields.ts";
import { MessageValue } from "./message-value.ts";
import { fieldReader, messageReader, unsetReader } from "./read.ts";
import { scalars } from "./scalars.ts";
import { strong } from "./strong-enums.ts";
import { wellKnownFiles } from "./well-known.ts";

export interface FieldShape extends Field {
  readonly desc: DescField;
  /** Reads the field of a message of its type, the default when it is unset. */
  read(message: Message): Value | CelError;
  isSet(message: Message): boolean;
  get(target: Value): Value | CelError;
  has(target: Value): boolean | CelError;
}

export interface MessageShape {
  readonly desc: DescMessage;
  readonly type: Type;
  readonly catalog: Catalog;
  field(name: string): FieldShape | undefined;
}

export class Catalog {
  readonly registry: Registry;
  readonly enums: EnumForm;
  readonly #shapes = new Map<DescMessage, MessageShape>();

  constructor(registry: Registry, enums: EnumForm) {
    this.registry = createRegistry(...wellKnownFiles, registry);
    this.enums = enums;
  }

  message(name: string): DescMessage | undefined {
    return this.registry.getMessage(name);
  }

  shape(desc: DescMessage): MessageShape {
    let shape = this.#shapes.get(desc);
    if (shape === undefined) {
      shape = shapeOf(this, desc);
      this.#shapes.set(desc, shape);
    }
    return shape;
  }

  /** A message as a CEL value of its own type, without looking for well-known ones. */
  wrap(desc: DescMessage, message: Message): MessageValue {
    return new MessageValue(this.shape(desc), message);
  }

  /** Any message as a CEL value. */
  read(desc: DescMessage, message: Message): Value | CelError {
    return messageReader(this, desc)(message);
  }

  empty(desc: DescMessage): Value | CelError {
    return this.read(desc, create(desc));
  }
}

/** The form of enums: as ints, or each as a type of its own. */
export interface ProtoOptions {
  readonly enums?: "int" | "strong";
}

const catalogs = { int: new WeakMap<Registry, Catalog>(), strong: new WeakMap<Registry, Catalog>() };

export function catalogOf(registry: Registry, { enums = "int" }: ProtoOptions = {}): Catalog {
  let catalog = catalogs[enums].get(registry);
  if (catalog === undefined) {
    catalog = new Catalog(registry, enums === "strong" ? strong : numbers);
    catalogs[enums].set(registry, catalog);
  }
  return catalog;
}

/** The CEL type of a message by its name. */
export const messageTypeOf = (name: string): Type => WELL_KNOWN_TYPES.get(name) ?? struct(name);

function shapeOf(catalog: Catalog, desc: DescMessage): MessageShape {
  const byName = new Map(desc.fields.map((field) => [field.name, field]));
  const fields = new Map<string, FieldShape>();
  return {
    desc,
    type: messageTypeOf(desc.typeName),
    catalog,
    field(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const made = makeField(catalog, desc, byName.get(name), name);
      if (made !== undefined) fields.set(name, made);
      return made;
    },
  };
}

function makeField(
  catalog: Catalog,
  desc: DescMessage,
  field: DescField | undefined,
  name: string,
): FieldShape | undefined {
  if (field !== undefined) return fieldShape(catalog, field, name, undefined);
  const extension = catalog.registry.getExtension(name);
  if (extension === undefined || extension.extendee.typeName !== desc.typeName) return undefined;
  return fieldShape(catalog, asField(extension), name, extension);
}

function fieldShape(catalog: Catalog, desc: DescField, name: string, extension: DescExtension | undefined): FieldShape {
  const readSet = fieldReader(catalog, desc);
  const readUnset = unsetReader(catalog, desc);
  const isSet =
    extension === undefined
      ? (message: Message) => isFieldSet(message, desc) || isNegativeZero(message, desc)
      : (message: Message) => hasExtension(message, extension);
  const raw =
    extension === undefined
      ? (message: Message) => rawField(message, desc)
      : (message: Message) => (hasExtension(message, extension) ? getExtension(message, extension) : undefined);
  const read = (message: Message): Value | CelError => {
    const value = raw(message);
    return value === undefined ? readUnset() : readSet(value);
  };
  const owner = desc.parent.typeName;
  return {
    name,
    desc,
    type: fieldType(catalog, desc),
    read,
    isSet,
    get(target) {
      const message = messageIn(target, owner);
      return message === undefined ? wrongTarget(target) : read(message);
    },
    has(target) {
      const message = messageIn(target, owner);
      return message === undefined ? wrongTarget(target) : isSet(message);
    },
  };
}

/** Go counts -0.0 as set where presence is implicit. */
const isNegativeZero = (message: Message, field: DescField): boolean =>
  (field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT) &&
  field.fieldKind === "scalar" &&
  Object.is(rawField(message, field), -0);

function messageIn(target: Value, typeName: string): Message | undefined {
  const message = target instanceof MessageValue ? target.message : target;
  return isMessage(message) && message.$typeName === typeName ? message : undefined;
}

const wrongTarget = (target: Value): CelError =>
  celError(
    "no_such_overload",
    `unsupported field selection target: ${target instanceof MessageValue ? target.type : typeof target}`,
  );

/** The CEL type of a field. */
function fieldType(catalog: Catalog, field: DescField): Type {
  if (field.fieldKind === "list") return listOf(elementType(catalog, field));
  if (field.fieldKind === "map") return mapOf(scalars[field.mapKey].type, elementType(catalog, field));
  return elementType(catalog, field);
}

function elementType(catalog: Catalog, field: DescField): Type {
  if (field.message !== undefined) return messageTypeOf(field.message.typeName);
  if (field.enum !== undefined) return catalog.enums.type(field.enum);
  return scalars[field.scalar].type;
}
