// Chooses the form of a value among those of its type: its own if the type has it, otherwise a map before a scalar before a list, so that
// the error names the expected form. Upstream: structured-merge-diff typed/helpers.go.

import type { MergeType } from "../schema/merge-type.ts";
import { formOf } from "../value/value.ts";

export type TypeForm = "map" | "scalar" | "list" | "none";

export function formIn(type: MergeType, value: unknown): TypeForm {
  return ownForm(type, value) ?? (type.map ? "map" : type.scalar ? "scalar" : type.list ? "list" : "none");
}

/** The value's own form, where the type has it. */
function ownForm(type: MergeType, value: unknown): TypeForm | undefined {
  switch (formOf(value)) {
    case "null":
    case "foreign":
      return undefined;
    case "list":
      return type.list && "list";
    case "map":
      return type.map && "map";
    default:
      return type.scalar && "scalar";
  }
}

/** Whether a type leaves both values in the same forms. A value that is not there takes any. */
export function sameForms(type: MergeType, a: unknown, b: unknown): boolean {
  const count = Number(type.map !== undefined) + Number(type.scalar !== undefined) + Number(type.list !== undefined);
  return count < 2 || ownForm(type, a) === ownForm(type, b);
}
