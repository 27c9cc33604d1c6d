// Partly known values of expressions.

import { Optional, type Type, type Value } from "@celadon/cel";
import type { Linear } from "../number/linear.ts";
import type { Node } from "../tree/node.ts";
import type { TextTerm } from "./texts.ts";

export type Symbolic =
  | { readonly is: "value"; readonly value: Value }
  /** A place in a request, read as the JSON that it has. */
  | { readonly is: "node"; readonly node: Node }
  | { readonly is: "text"; readonly text: TextTerm }
  | { readonly is: "int"; readonly sum: Linear }
  /** A boolean that is decided when something depends on it. */
  | { readonly is: "bool"; readonly key: string; readonly why: string }
  | { readonly is: "list"; readonly parts: readonly Part[] }
  /** The size of a filtered list. */
  | { readonly is: "count"; readonly parts: readonly Part[] }
  | { readonly is: "map"; readonly entries: readonly (readonly [Symbolic, Symbolic])[] }
  | { readonly is: "optional"; readonly value: Symbolic | undefined }
  | { readonly is: "error" }
  /** A quantity, a duration or a point in time, as a number of its smallest units. */
  | { readonly is: "ordered"; readonly unit: Unit; readonly sum: Linear; readonly key: string }
  /** The names of a policy's variables are its members. */
  | { readonly is: "scope"; readonly read: (name: string) => Symbolic | undefined }
  /** A value that is only known by how it was made. */
  | { readonly is: "opaque"; readonly type: Type; readonly key: string; readonly why: string };

export type Unit = "quantity" | "duration" | "timestamp";

/** Elements of a list: listed ones, or those of a place in a request, after the stages of `filter` and `map`. */
export type Part =
  | { readonly of: "items"; readonly items: readonly Symbolic[] }
  | { readonly of: "node"; readonly node: Node; readonly stages: readonly Stage[]; readonly filtered: boolean };

/** The image of an element; undefined if it is left out. */
export type Stage = (element: Symbolic) => Symbolic | undefined;

export const ERROR: Symbolic = { is: "error" };
export const TRUE: Symbolic = { is: "value", value: true };
export const FALSE: Symbolic = { is: "value", value: false };

export function constantOf(value: Value): Symbolic {
  if (value instanceof Optional) return { is: "optional", value: value.hasValue ? constantOf(value.value) : undefined };
  return { is: "value", value };
}

export function boolOf(value: boolean): Symbolic {
  return value ? TRUE : FALSE;
}
