// Equality of messages as cel-go has it: set fields one by one, NaN unequal to itself, Any by content, unknown fields by
// their bytes per field number. Extensions count as fields when the registry knows them.

import {
  type DescExtension,
  type DescField,
  type DescMessage,
  fromBinary,
  getExtension,
  isFieldSet,
  type Message,
} from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { deepEqual } from "@celadon/base";
import type { Catalog } from "./catalog.ts";
import { asField, rawField } from "./fields.ts";
import { isBareWrapper, isJsonStruct } from "./well-known.ts";

export function equalMessages(catalog: Catalog, desc: DescMessage, a: Message, b: Message): boolean {
  if (a.$typeName !== b.$typeName) return false;
  if (desc.typeName === "google.protobuf.Any") return equalAny(catalog, a as Any, b as Any);
  for (const field of desc.fields) {
    const set = isFieldSet(a, field);
    if (set !== isFieldSet(b, field)) return false;
    if (set && !equalFields(catalog, field, rawField(a, field), rawField(b, field))) return false;
  }
  return equalUnknown(catalog, desc, a, b);
}

function equalFields(catalog: Catalog, field: DescField, a: unknown, b: unknown): boolean {
  if (field.fieldKind === "list") {
    const [x, y] = [a as unknown[], b as unknown[]];
    return x.length === y.length && x.every((item, index) => equalSingle(catalog, field, item, y[index]));
  }
  if (field.fieldKind === "map") {
    const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
    const keys = Object.keys(x);
    return (
      keys.length === Object.keys(y).length &&
      keys.every((key) => Object.hasOwn(y, key) && equalSingle(catalog, field, x[key], y[key]))
    );
  }
  return equalSingle(catalog, field, a, b);
}

function equalSingle(catalog: Catalog, field: DescField, a: unknown, b: unknown): boolean {
  if (field.message === undefined || isBareWrapper(field, field.message)) return equalScalars(a, b);
  if (field.message.typeName === "google.protobuf.Struct" && isJsonStruct(field)) return deepEqual(a, b);
  return equalMessages(catalog, field.message, a as Message, b as Message);
}

const equalScalars = (a: unknown, b: unknown): boolean =>
  a instanceof Uint8Array ? b instanceof Uint8Array && equalBytes(a, b) : a === b;

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

function equalAny(catalog: Catalog, a: Any, b: Any): boolean {
  if (a.typeUrl !== b.typeUrl) return false;
  if (equalBytes(a.value, b.value)) return true;
  const desc = catalog.message(a.typeUrl.slice(a.typeUrl.lastIndexOf("/") + 1));
  if (desc === undefined) return false;
  try {
    return equalMessages(catalog, desc, fromBinary(desc, a.value), fromBinary(desc, b.value));
  } catch {
    return false; // bytes that are no message of that type are unequal unless identical
  }
}

function equalUnknown(catalog: Catalog, desc: DescMessage, a: Message, b: Message): boolean {
  if (a.$unknown === undefined && b.$unknown === undefined) return true;
  const [x, y] = [unknownByNumber(a), unknownByNumber(b)];
  if (x.size !== y.size) return false;
  for (const [no, bytes] of x) {
    const others = y.get(no);
    if (others === undefined) return false;
    const extension = catalog.registry.getExtensionFor(desc, no);
    if (!(extension === undefined ? equalBytes(bytes, others) : equalExtension(catalog, extension, a, b))) return false;
  }
  return true;
}

function equalExtension(catalog: Catalog, extension: DescExtension, a: Message, b: Message): boolean {
  return equalFields(catalog, asField(extension), getExtension(a, extension), getExtension(b, extension));
}

/** The wire types and bytes of each unknown field, in their order. */
function unknownByNumber(message: Message): Map<number, Uint8Array> {
  const byNumber = new Map<number, Uint8Array>();
  for (const { no, wireType, data } of message.$unknown ?? []) {
    const before = byNumber.get(no) ?? new Uint8Array();
    const joined = new Uint8Array(before.length + 1 + data.length);
    joined.set(before);
    joined[before.length] = wireType;
    joined.set(data, before.length + 1);
    byNumber.set(no, joined);
  }
  return byNumber;
}
