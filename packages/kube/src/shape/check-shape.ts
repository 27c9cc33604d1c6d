// Whether an object has the shape of its kind: fields the kind has, values of their types. So a server decides when it decodes a request,
// and in its words where they are known. It checks nothing further: rules for values are validation.
//
// Unknown fields are what strict decoding refuses and otherwise warns about. A wrong type is always refused; a server tells the first
// alone. Missing fields decode well: validation requires most of them later.

import { Double, formatFloatJson, nearestName, quoteGo } from "@celadon/base";
import { isDate } from "../formats.ts";
import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import type { Schema } from "../schema/schema.ts";
import { goType, placesIn, type ShapePlace } from "./go-type.ts";

/** Identifies a problem of a shape, for programs. */
export type ShapeProblemCode = "unknown_field" | "wrong_type" | "invalid_value" | "missing_field";

/** A part of an object that does not have the shape of its schema. */
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
  check.value(object, schema, WHOLE);
  return check.problems;
}

const WHOLE: ShapePlace = { struct: undefined, name: undefined };

// Most objects are as they should be: walking one makes nothing but the two stacks, and texts are for problems alone.
class ShapeCheck {
  readonly problems: ShapeProblem[] = [];
  private readonly path: (string | number)[] = [];
  /** The fields of structs among the path, as a decoder names them; without elements and keys of maps. */
  private readonly fields: string[] = [];

  value(value: unknown, schema: Schema, place: ShapePlace): void {
    // Null leaves a field of any type as it is.
    if (value === null || value === undefined) return;
    if (schema.intOrString === true) this.intOrString(value);
    else if (schema.items !== undefined) this.list(value, schema, schema.items, place);
    else if (schema.type === "object") this.object(value, schema, place);
    else if (place.name === "resource.Quantity" || place.name === "v1.ResourceList") this.quantity(value);
    else this.scalar(value, schema, place);
  }

  private list(value: unknown, schema: Schema, items: Schema, place: ShapePlace): void {
    if (!Array.isArray(value)) {
      this.wrongType(value, goType(schema, place.name), place);
      return;
    }
    for (let i = 0; i < value.length; i++) {
      this.path.push(i);
      this.value(value[i], items, place);
      this.path.pop();
    }
  }

  private object(value: unknown, schema: Schema, place: ShapePlace): void {
    if (typeOf(value) !== "object") {
      this.wrongType(value, goType(schema, place.name), place);
      return;
    }
    const members = value as Readonly<Record<string, unknown>>;
    if (typeof schema.additionalProperties === "object") {
      for (const key of Object.keys(members)) {
        this.path.push(key);
        this.value(members[key], schema.additionalProperties, place);
        this.path.pop();
      }
    } else if (schema.properties !== undefined) {
      this.struct(members, schema, schema.properties);
    }
  }

  private struct(
    members: Readonly<Record<string, unknown>>,
    schema: Schema,
    properties: ReadonlyMap<string, Schema>,
  ): void {
    const places = placesIn(schema, properties);
    for (const key of Object.keys(members)) {
      const property = properties.get(key);
      this.path.push(key);
      if (property !== undefined) {
        this.fields.push(key);
        this.value(members[key], property, places.get(key)!);
        this.fields.pop();
      } else if (schema.preserveUnknownFields !== true && schema.additionalProperties !== true) {
        this.unknownField(key, properties.keys());
      }
      this.path.pop();
    }
    for (const field of schema.required ?? []) {
      if (Object.hasOwn(members, field) && members[field] !== null) continue;
      this.path.push(field);
      this.add("missing_field", `missing required field ${quoteGo(this.field())}`);
      this.path.pop();
    }
  }

  private scalar(value: unknown, schema: Schema, place: ShapePlace): void {
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

  private text(value: unknown, schema: Schema, place: ShapePlace): void {
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

  private wrongType(value: unknown, type: string, { struct }: ShapePlace, isNumberShown = false): void {
    const where = struct === undefined ? "value" : `struct field ${struct}.${this.fields.join(".")}`;
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
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function isTime(text: string): boolean {
  const date = TIME.exec(text)?.[1];
  return date !== undefined && isDate(date);
}

/** The name that a decoder gives a value of this kind. */
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
      return value instanceof Double ? "number" : "object";
  }
}

function shown(value: unknown, isNumberShown: boolean): string {
  const type = typeOf(value);
  return type === "number" && isNumberShown ? `number ${numberText(value)}` : type;
}

function numberText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return formatFloatJson(value);
  const n = (value as Double).value;
  return Number.isInteger(n) ? `${formatFloatJson(n)}.0` : formatFloatJson(n);
}

function isInteger(value: unknown, format: string | undefined): boolean {
  if (typeof value === "bigint") return format === "int32" ? false : BigInt.asIntN(64, value) === value;
  if (typeof value !== "number" || !Number.isInteger(value)) return false;
  return format === "int32" ? Math.abs(value + 0.5) < 2 ** 31 : Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
