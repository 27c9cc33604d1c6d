// Enums as types of their own, as the specification proposes: members are values of their enum, made from numbers and names
// by calling it (`pkg.Color(1)`, `pkg.Color('RED')`) and turned into numbers by `int`. cel-go has ints instead.

import type { DescEnum, Registry } from "@bufbuild/protobuf";
import { fixed } from "../cost/formulas.ts";
import { fn, type Library, type Overload } from "../lib/library.ts";
import { type CelError, celError } from "../value/error.ts";
import { INT, type Int, opaque, STRING, type Type } from "../value/type.ts";
import { Opaque, type Value } from "../value/value.ts";
import type { EnumForm } from "./enums.ts";

/** A member of an enum, or a number that an open enum has no name for. */
export class EnumValue extends Opaque {
  readonly type: Type;
  readonly number: number;
  constructor(type: Type, number: number) {
    super();
    this.type = type;
    this.number = number;
  }
  override equals(other: Value): boolean {
    return other instanceof EnumValue && other.type.name === this.type.name && other.number === this.number;
  }
  override toString(): string {
    return String(this.number);
  }
}

const types = new Map<string, Type>();

export function enumType(desc: DescEnum): Type {
  let type = types.get(desc.typeName);
  if (type === undefined) {
    type = opaque(desc.typeName);
    types.set(desc.typeName, type);
  }
  return type;
}

/** JSON null is kept in an enum of one member, which stays a number. */
const isStrong = (desc: DescEnum): boolean => desc.typeName !== "google.protobuf.NullValue";

export const strong: EnumForm = {
  strong: true,
  type: (desc) => (isStrong(desc) ? enumType(desc) : INT),
  reader(desc) {
    const type = enumType(desc);
    return isStrong(desc) ? (raw) => new EnumValue(type, raw as number) : (raw) => raw;
  },
  toNumber: (desc, value) =>
    value instanceof EnumValue && value.type.name === desc.typeName ? value.number : undefined,
};

/** The conversions of all enums in the registry, for environments whose provider has strong enums. */
export function enumLibrary(registry: Registry): Library {
  const overloads: Overload[] = [];
  for (const desc of registry) if (desc.kind === "enum" && isStrong(desc)) overloads.push(...conversions(desc));
  return { name: "celadon.proto.enums", overloads };
}

function conversions(desc: DescEnum): Overload[] {
  const type = enumType(desc) as Type<EnumValue>;
  const id = desc.typeName.replaceAll(".", "_");
  return [
    fn(desc.typeName, `int_to_${id}`, [INT], type, fixed(1), (number) => fromNumber(type, number)),
    fn(desc.typeName, `string_to_${id}`, [STRING], type, fixed(1), (name) => fromName(desc, type, name)),
    fn("int", `${id}_to_int`, [type], INT, fixed(1), (member) => member.number),
  ];
}

function fromNumber(type: Type, number: Int): EnumValue | CelError {
  if (typeof number === "bigint" || number !== (number | 0))
    return celError("overflow", `range error: ${number} is no ${type.name}`);
  return new EnumValue(type, number);
}

function fromName(desc: DescEnum, type: Type, name: string): EnumValue | CelError {
  const member = desc.values.find((candidate) => candidate.name === name);
  if (member === undefined) return celError("conversion", `invalid enum name '${name}' for ${type.name}`);
  return new EnumValue(type, member.number);
}
