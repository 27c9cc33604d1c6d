// `JSONPatch{op, path, from, value}`: one operation of a JSON patch. Upstream: apiserver pkg/cel/mutation/jsonpatch.go.

import { type CelError, celError, DYN, STRING, StructValue, struct, type Type, type Value } from "@celadon/cel";
import type { Field, StructType } from "@celadon/cel/types";
import { equal } from "@celadon/cel/values";

/** The type of `JSONPatch{…}`. */
export const JSON_PATCH: Type = struct("JSONPatch");

const TEXTS = ["op", "from", "path"] as const;

/** One operation of a JSON patch that an expression made. */
export class JsonPatchValue extends StructValue {
  readonly type: Type = JSON_PATCH;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** Undefined if absent; null is a value. */
  readonly value: Value | undefined;

  constructor({
    op = "",
    path = "",
    from = "",
    value,
  }: Partial<Record<"op" | "path" | "from", string>> & { value?: Value }) {
    super();
    this.op = op;
    this.path = path;
    this.from = from;
    this.value = value;
  }

  override parts(): Iterable<Value> {
    return [this.value];
  }

  override get(field: string): Value | CelError {
    if (field === "value") return this.value ?? null;
    return isText(field) ? this[field] : celError("no_such_field", `unsupported indexer: ${field}`);
  }

  override has(field: string): boolean | CelError {
    if (field === "value") return this.value !== undefined;
    return isText(field) ? this[field] !== "" : celError("no_such_field", `unsupported field: ${field}`);
  }

  override equals(other: Value): boolean | CelError {
    if (!(other instanceof JsonPatchValue)) return false;
    if (this.op !== other.op || this.path !== other.path || this.from !== other.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { op, path, from, value } = this;
    return { op, path, ...(from !== "" && { from }), ...(value !== undefined && { value }) };
  }
}

const isText = (field: string): field is (typeof TEXTS)[number] => (TEXTS as readonly string[]).includes(field);

/** The checker accepts any field, and then finds that nothing is of its type, which has no name. */
const NAMELESS: Type = struct("");

const FIELD_TYPES: Readonly<Record<string, Type>> = { op: STRING, from: STRING, path: STRING, value: DYN };

export const jsonPatchType: StructType = {
  type: JSON_PATCH,
  named: false,
  field: (name): Field => ({
    name,
    type: Object.hasOwn(FIELD_TYPES, name) ? FIELD_TYPES[name]! : NAMELESS,
    get: (target) =>
      target instanceof JsonPatchValue ? target.get(name) : celError("no_such_field", `no such key: ${name}`),
    has: (target) => target instanceof JsonPatchValue && target.has(name),
  }),
  fieldNames: () => ["op", "from", "path", "value"],
  create(fields) {
    const given: Record<string, unknown> = {};
    for (const [name, value] of fields) {
      if (name !== "value" && typeof value !== "string") {
        return celError("invalid_argument", `unexpected type ${typeof value} for JSONPatchType '${name}' field`);
      }
      given[name] = value;
    }
    return new JsonPatchValue(given);
  },
};
