// A small language for the shape of documents that people write: the allowed values of each field, in one table. The reader checks
// documents against it and the JSON schema for editors is made from it, so that the two cannot drift apart.

export type Shape =
  | { readonly kind: "text"; readonly choices?: readonly string[] }
  | { readonly kind: "bool" }
  | { readonly kind: "integer"; readonly min: number }
  | { readonly kind: "null" }
  | { readonly kind: "any" }
  | { readonly kind: "list"; readonly items: Shape; readonly filled?: boolean }
  /** Any keys, values of one shape. */
  | { readonly kind: "map"; readonly values: Shape }
  /** A Kubernetes object, validated elsewhere: only `apiVersion` and `kind` are required. */
  | { readonly kind: "manifest" }
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, Field>> }
  /** Told apart by their JSON type: no two of them have the same. */
  | { readonly kind: "either"; readonly of: readonly Shape[] };

export interface Field {
  readonly shape: Shape;
  readonly about: string;
  readonly required?: boolean;
}

export const TEXT: Shape = { kind: "text" };
export const BOOL: Shape = { kind: "bool" };
export const COUNT: Shape = { kind: "integer", min: 0 };
export const NULL: Shape = { kind: "null" };
export const ANY: Shape = { kind: "any" };
export const MANIFEST: Shape = { kind: "manifest" };

export function choice(...choices: readonly string[]): Shape {
  return { kind: "text", choices };
}

export function listOf(items: Shape, filled = false): Shape {
  return filled ? { kind: "list", items, filled } : { kind: "list", items };
}

export function mapOf(values: Shape): Shape {
  return { kind: "map", values };
}

export function either(...of: readonly Shape[]): Shape {
  return { kind: "either", of };
}

export function oneOrMore(items: Shape): Shape {
  return either(items, listOf(items, true));
}

export function fields(table: Readonly<Record<string, Field>>): Shape {
  return { kind: "fields", fields: table };
}

export function field(shape: Shape, about: string): Field {
  return { shape, about };
}

export function required(shape: Shape, about: string): Field {
  return { shape, about, required: true };
}

/** The JSON type a shape has; `any` has none of its own. */
export function jsonTypeOf(shape: Shape): "text" | "bool" | "integer" | "null" | "list" | "object" | "any" | "either" {
  switch (shape.kind) {
    case "map":
    case "fields":
    case "manifest":
      return "object";
    default:
      return shape.kind;
  }
}
