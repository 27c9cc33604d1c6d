// Changes to the fields of resources beside their expressions: tables of a path, a name, and possible replacements. A resource that the API
// server refuses, such as a rule without operations, is no mutant; a run finds that out.

import { isRecord } from "@celadon/base";
import { type KubeObject, type PathPattern, type ValueAt, valuesAt } from "@celadon/kube";
import type { Edit } from "./edit.ts";

export interface FieldMutator {
  readonly name: string;
  readonly about: string;
  /** Its places; each is tried by itself. */
  readonly at: readonly string[];
  of(place: ValueAt): readonly Edit[];
}

export interface FieldMutant extends Edit {
  readonly mutator: string;
}

export function fieldMutants(object: KubeObject, mutators: readonly FieldMutator[]): readonly FieldMutant[] {
  return mutators.flatMap(({ name, at, of }) =>
    at.flatMap((pattern) =>
      valuesAt(object, pathOf(pattern))
        .flatMap(of)
        .map((edit) => ({ ...edit, mutator: name })),
    ),
  );
}

const pathOf = (pattern: string): PathPattern => (pattern === "" ? [] : pattern.split("."));

/** The place itself is removed. */
export const dropped: FieldMutator["of"] = ({ path }) => [{ path }];

/** Each element or member. A list with one item is dropped whole, as an empty one is refused or means everything. */
export const eachDropped: FieldMutator["of"] = ({ path, value }) =>
  sizeOf(value) === 1 ? [{ path }] : keysOf(value).map((key) => ({ path: [...path, key] }));

/** Each element, unless it is the only one. */
export const oneDropped: FieldMutator["of"] = ({ path, value }) =>
  sizeOf(value) < 2 ? [] : keysOf(value).map((key) => ({ path: [...path, key] }));

export const exchanged =
  (others: Readonly<Record<string, string>>): FieldMutator["of"] =>
  ({ path, value }) =>
    typeof value === "string" && Object.hasOwn(others, value) ? [{ path, value: others[value] }] : [];

/** One more and one less. */
export const shifted: FieldMutator["of"] = ({ path, value }) =>
  typeof value === "number" && Number.isInteger(value) ? [1, -1].map((by) => ({ path, value: value + by })) : [];

export const flipped: FieldMutator["of"] = ({ path, value }) =>
  typeof value === "boolean" ? [{ path, value: !value }] : [];

function keysOf(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value)) return value.map((_, i) => i);
  return isRecord(value) ? Object.keys(value) : [];
}

const sizeOf = (value: unknown): number => keysOf(value).length;
