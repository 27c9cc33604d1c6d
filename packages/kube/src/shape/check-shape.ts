// Whether an object has the shape of its kind: fields the kind has, values of their types. So a server decides when it
// decodes a request, and in its words where they are known. It checks nothing further: what a value may be is validation.
//
// Unknown fields are what strict decoding refuses and otherwise warns about. A wrong type is always refused; a server
// tells the first alone. Fields that are missing decode well: validation asks for most of them later.

import { isDate } from "../formats.ts";
import { boxedNumber, formatFloatJson, quoteGo } from "../go-format.ts";
import { isInvalid } from "../invalid.ts";
import { nearestName } from "../nearest-name.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import type { Schema } from "../schema/schema.ts";
import { goType, namedType, structName } from "./go-type.ts";

export type ShapeProblemCode = "unknown_field" | "wrong_type" | "invalid_value" | "missing_field";

export interface ShapeProblem {
  readonly code: ShapeProblemCode;
  /** Steps to the field: names of members and indexes of elements. */
  readonly path: readonly (string | number)[];
  /** The path as a server writes it: `spec.containers[0].image`. */
  readonly field: string;
  readonly message: string;
  /** For an unknown field, the known one that may have been meant. */
  readonly suggestion?: string;
}

/** All problems, in the order of the object. A schema that knows nothing of a value finds nothing wrong with it. */
export function checkShape(object: unknown, schema: Schema): ShapeProblem[] {
  const check = new ShapeCheck();
  check.value(object, schema, { struct: undefined, fields: [], name: undefined });
  return check.problems;
}

/** Where a value stands for a decoder: in which struct, under which fields (elements and keys of maps are none). */
interface Place {
  readonly struct: string | undefined;
  readonly fields: readonly string[];
  /** The named type of the field. */
  readonly name: string | undefined;
}

class ShapeCheck {
  readonly problems: ShapeProblem[] = [];
  private readonly path: (string | number)[] = [];

  value(value: unknown, schema: Schema, place: Place): void {
    // Null leaves a field as it is, whatever its type.
    if (value === null || value === undefined) return;
    if (schema.intOrString === true) this.intOrString(value);
    else if (schema.items !== undefined) this.list(value, schema, schema.items, place);
    else if (schema.type === "object") this.object(value, schema, place);
    else if (place.name === "resource.Quantity" || place.name === "v1.ResourceList") this.quantity(value);
    else this.scalar(value, schema, place);
  }

  private list(value: unknown, schema: Schema, items: Schema, place: Place): void {
    if (!Array.isArray(value)) {
      this.wrongType(value, goType(schema, place.name), place);
      return;
    }
    for (const [i, one] of value.entries()) this.step(i, () => this.value(one, items, place));
  }

  private object(value: unknown, schema: Schema, place: Place): void {
    if (typeOf(value) !== "object") {
      this.wrongType(value, goType(schema, place.name), place);
      return;
    }
    const members = Object.entries(value as object);
    if (typeof schema.additionalProperties === "object") {
      const { additionalProperties } = schema;
      for (const [key, one] of members) this.step(key, () => this.value(one, additionalProperties, place));
    } else if (schema.properties !== undefined) {
      this.struct(members, schema, schema.properties, place);
    }
  }

  private struct(
    members: readonly (readonly [string, unknown])[],
    schema: Schema,
    properties: ReadonlyMap<string, Schema>,
    place: Place,
  ): void {
    const struct = structName(schema);
    for (const [key, one] of members) {
      const property = properties.get(key);
      this.step(key, () => {
        if (property !== undefined) {
          this.value(one, property, { struct, fields: [...place.fields, key], name: namedType(struct, key) });
        } else if (schema.preserveUnknownFields !== true && schema.additionalProperties !== true) {
          this.unknownField(key, properties.keys());
        }
      });
    }
    for (const field of schema.required ?? []) {
      if (members.some(([key, one]) => key === field && one !== null)) continue;
      this.step(field, () => this.add("missing_field", `missing required field ${quoteGo(this.field())}`));
    }
  }

  private scalar(value: unknown, schema: Schema, place: Place): void {
    const found = typeOf(value);
    switch (schema.type) {
      case "string":
        this.text(value, schema, place);
        return;
      case "boolean":
        if (found !== "bool") this.wrongType(value, "bool", place);
        return;
      case "integer":
        if (found !== "number" || !isInteger(value, schema.format)) {
          this.wrongType(value, goType(schema, undefined), place, found === "number");
        }
        return;
      case "number":
        if (found !== "number") this.wrongType(value, "float64", place);
        return;
      default: // anything
    }
  }

  private text(value: unknown, schema: Schema, place: Place): void {
    if (schema.format === "date-time") {
      if (typeof value !== "string") this.wrongValue(value, "string");
      else if (!isTime(value))
        this.add("invalid_value", `${this.field()}: expected a time as in RFC 3339, found ${quoteGo(value)}`);
    } else if (typeof value !== "string") {
      this.wrongType(value, goType(schema, place.name), place);
    } else if (schema.format === "byte" && !BASE64.test(value.replace(/[\r\n]/g, ""))) {
      this.add("invalid_value", `${this.field()}: illegal base64 data`);
    }
  }

  // A type that decodes itself knows nothing of the field it stands in.
  private intOrString(value: unknown): void {
    if (typeof value === "string") return;
    if (typeOf(value) !== "number" || !isInteger(value, "int32")) {
      this.wrongValue(value, "int32", typeOf(value) === "number");
    }
  }

  private quantity(value: unknown): void {
    const text =
      typeof value === "string" ? value : typeOf(value) === "number" ? numberText(value) : JSON.stringify(value);
    const parsed = parseQuantity(text);
    if (isInvalid(parsed)) this.add("invalid_value", parsed.message);
  }

  private wrongType(value: unknown, type: string, { struct, fields }: Place, isNumberShown = false): void {
    const where = struct === undefined ? "value" : `struct field ${struct}.${fields.join(".")}`;
    this.add("wrong_type", `json: cannot unmarshal ${shown(value, isNumberShown)} into Go ${where} of type ${type}`);
  }

  private wrongValue(value: unknown, type: string, isNumberShown = false): void {
    this.add("wrong_type", `json: cannot unmarshal ${shown(value, isNumberShown)} into Go value of type ${type}`);
  }

  private unknownField(key: string, known: Iterable<string>): void {
    this.add("unknown_field", `unknown field ${quoteGo(this.field())}`, nearestName(key, known));
  }

  private add(code: ShapeProblemCode, message: string, suggestion?: string): void {
    const problem = { code, path: [...this.path], field: this.field(), message };
    this.problems.push(suggestion === undefined ? problem : { ...problem, suggestion });
  }

  private field(): string {
    return this.path.reduce<string>((text, step) => {
      if (typeof step === "number") return `${text}[${step}]`;
      return text === "" ? step : `${text}.${step}`;
    }, "");
  }

  private step(step: string | number, visit: () => void): void {
    this.path.push(step);
    visit();
    this.path.pop();
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function isTime(text: string): boolean {
  const date = TIME.exec(text)?.[1];
  return date !== undefined && isDate(date);
}

/** What a decoder calls a value of this kind. */
function typeOf(value: unknown): "string" | "bool" | "number" | "array" | "object" {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
    default:
      if (Array.isArray(value)) return "array";
      return boxedNumber(value as object) === undefined ? "object" : "number";
  }
}

function shown(value: unknown, isNumberShown: boolean): string {
  const type = typeOf(value);
  return type === "number" && isNumberShown ? `number ${numberText(value)}` : type;
}

function numberText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return formatFloatJson(value);
  const n = boxedNumber(value as object)!;
  return Number.isInteger(n) ? `${formatFloatJson(n)}.0` : formatFloatJson(n);
}

function isInteger(value: unknown, format: string | undefined): boolean {
  if (typeof value === "bigint") return format === "int32" ? false : BigInt.asIntN(64, value) === value;
  if (typeof value !== "number" || !Number.isInteger(value)) return false;
  return format === "int32" ? Math.abs(value + 0.5) < 2 ** 31 : Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
