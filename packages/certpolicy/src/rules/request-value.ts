// `cr` as rules see it: a proto3 message, so unset strings are empty, unset groups an empty list, and `has` is false for both.

import { type CelError, celError, listOf, STRING, StructValue, struct, type Type, type Value } from "@celadon/cel";
import { composeProviders, type Field, type StructType, type TypeProvider, wellKnownTypes } from "@celadon/cel/types";
import { equal, isList, toArray } from "@celadon/cel/values";
import type { CertificateRequest } from "../resource.ts";

const NAME = "cm.io.policy.pkg.internal.approver.validation.CertificateRequest";

export const REQUEST: Type = struct(NAME);

type FieldName = "name" | "namespace" | "username" | "groups";

const FIELD_TYPES: Readonly<Record<FieldName, Type>> = {
  name: STRING,
  namespace: STRING,
  username: STRING,
  groups: listOf(STRING),
};

const isField = (name: string): name is FieldName => Object.hasOwn(FIELD_TYPES, name);

export class RequestValue extends StructValue {
  override readonly type: Type = REQUEST;
  readonly #fields: Readonly<Record<FieldName, Value>>;

  constructor(fields: { readonly [K in FieldName]?: Value }) {
    super();
    this.#fields = { name: "", namespace: "", username: "", groups: [], ...fields };
  }

  override get(field: string): Value | CelError {
    return isField(field) ? this.#fields[field] : celError("no_such_field", `no such field '${field}'`);
  }

  override has(field: string): boolean | CelError {
    if (!isField(field)) return celError("no_such_field", `no such field '${field}'`);
    const value = this.#fields[field];
    return typeof value === "string" ? value !== "" : isList(value) && toArray(value).length > 0;
  }

  override equals(other: Value): boolean {
    return (
      other instanceof RequestValue &&
      Object.keys(FIELD_TYPES).every((name) => equal(this.get(name), other.get(name)) === true)
    );
  }

  override isZero(): boolean {
    return Object.keys(FIELD_TYPES).every((name) => this.has(name) !== true);
  }
}

export function requestValue({ metadata, spec }: CertificateRequest): RequestValue {
  return new RequestValue({
    name: metadata?.name ?? "",
    namespace: metadata?.namespace ?? "",
    username: spec.username ?? "",
    groups: spec.groups ?? [],
  });
}

const FIELDS: ReadonlyMap<string, Field> = new Map(
  Object.entries(FIELD_TYPES).map(([name, type]) => [
    name,
    {
      name,
      type,
      get: (target) =>
        target instanceof RequestValue ? target.get(name) : celError("no_such_overload", "no such overload"),
      has: (target) => target instanceof RequestValue && target.has(name),
    },
  ]),
);

const REQUEST_STRUCT: StructType = {
  type: REQUEST,
  field: (name) => FIELDS.get(name),
  fieldNames: () => [...FIELDS.keys()],
  create: (fields) => new RequestValue(Object.fromEntries(fields)),
};

const requestTypes: TypeProvider = {
  findStruct: (name) => (name === NAME ? REQUEST_STRUCT : undefined),
  findIdent: (name) => (name === NAME ? REQUEST : undefined),
  hasPrefix: (first) => first === "cm",
};

/** The message itself and protobuf's well-known ones. */
export const ruleTypes: TypeProvider = composeProviders(requestTypes, wellKnownTypes);
