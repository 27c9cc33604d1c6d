// The types that only the expressions of mutations have. Every name below `Object` is a type.
// Upstream: apiserver pkg/cel/mutation/typeresolver.go.

import type { TypeProvider } from "@celadon/cel/types";
import { jsonPatchType } from "./json-patch-value.ts";
import { objectType } from "./object-value.ts";

/** The types of mutating policies: `Object{…}` and `JSONPatch{…}`. */
export const mutationTypes: TypeProvider = {
  findStruct(name) {
    if (name === "JSONPatch") return jsonPatchType;
    return name === "Object" || name.startsWith("Object.") ? objectType(name) : undefined;
  },
  findIdent: () => undefined,
  hasPrefix: (first) => first === "Object",
};
