// Scalars of a schema: the value for data of each type, and the error for data of another. Error texts are upstream's: apiserver
// pkg/cel/common/valuesunstructured.go.

import { boxDouble } from "@celadon/base";
import { CelError, Double, isError, type Value } from "@celadon/cel";
import type { Adapter } from "@celadon/cel/types";
import { FORMAT_READERS, type FormatReader } from "./formats.ts";
import { goTypeOf } from "./go-data.ts";
import { PreservedValue } from "./object-values.ts";
import { isIntOrString, type Schema } from "./schema.ts";

/** Converts data that is present and not null to a value. */
export interface Reading {
  read(data: unknown): Value | CelError;
  /** Whether two pieces of data are the same value, if that is known without making values; undefined otherwise. */
  same?(a: unknown, b: unknown): boolean | CelError | undefined;
  /** The kinds of data that are values already. */
  readonly asIs?: Adapter["asIs"];
}

export const invalid = (message: string): CelError => new CelError("invalid_argument", message);

const unexpected = (wanted: string, data: unknown): CelError =>
  invalid(`invalid data, expected ${wanted}, got ${goTypeOf(data)}`);
const isInteger = (data: unknown): boolean =>
  typeof data === "number" ? Number.isSafeInteger(data) : typeof data === "bigint";
const sameText = (a: unknown, b: unknown): boolean | undefined =>
  typeof a === "string" && typeof b === "string" ? a === b : undefined;
const sameInt = (a: unknown, b: unknown): boolean | undefined =>
  Number.isSafeInteger(a) && Number.isSafeInteger(b) ? a === b : undefined;

const TEXT: Reading = {
  asIs: ["string"],
  read: (data) => (typeof data === "string" ? data : unexpected("string", data)),
  same: sameText,
};

const BOOLEAN: Reading = {
  asIs: ["bool"],
  read: (data) => (typeof data === "boolean" ? data : unexpected("bool", data)),
  same: (a, b) => (typeof a === "boolean" && typeof b === "boolean" ? a === b : undefined),
};

/** A double is no integer, 1.0 included. */
const INTEGER: Reading = {
  asIs: ["int"],
  read: (data) => (isInteger(data) ? data : unexpected("int", data)),
  same: sameInt,
};

/** A whole number in JSON is a double here all the same. */
const NUMBER: Reading = {
  read(data) {
    if (typeof data === "number") return boxDouble(data);
    if (typeof data === "bigint") return boxDouble(Number(data));
    return data instanceof Double ? data : unexpected("float", data);
  },
  same: (a, b) => (typeof a === "number" && typeof b === "number" ? a === b : undefined),
};

const NEITHER = invalid("invalid data, expected XIntOrString value to be either a string or integer");

const INT_OR_STRING: Reading = {
  asIs: ["string", "int"],
  read: (data) => (typeof data === "string" || isInteger(data) ? data : NEITHER),
  same: (a, b) => sameText(a, b) ?? sameInt(a, b),
};

const PRESERVED: Reading = { read: (data) => new PreservedValue(data) };

/** Texts that are the same stand for the same, if they stand for anything. */
const formatted = (reader: FormatReader): Reading => ({
  read: (data) => (typeof data === "string" ? reader(data) : unexpected("string", data)),
  same(a, b) {
    if (a !== b || typeof a !== "string") return undefined;
    const value = reader(a);
    return isError(value) ? value : true;
  },
});

const FORMATTED: ReadonlyMap<string | undefined, Reading> = new Map(
  [...FORMAT_READERS].map(([format, reader]) => [format, formatted(reader)]),
);

/** The way in which scalars of a schema are read; undefined for containers, and for schemas of no type that CEL knows. */
export function scalarReading(schema: Schema): Reading | undefined {
  if (isIntOrString(schema)) return INT_OR_STRING;
  switch (schema.type) {
    case "string":
      return FORMATTED.get(schema.format) ?? TEXT;
    case "integer":
      return INTEGER;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "object":
    case "array":
      return undefined;
    default:
      return schema["x-kubernetes-preserve-unknown-fields"] === true ? PRESERVED : undefined;
  }
}
