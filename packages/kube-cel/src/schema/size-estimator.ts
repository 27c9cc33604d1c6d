// Sizes of schema-typed data for the static estimate, as Kubernetes takes them from declared types.
//
// The first step of a path counts as the variable and is dropped, even if it is another: where an estimate lost track of the data, `@items`
// or a lone field name stand there, and the size of the root is returned.

import { range, type SizeEstimator } from "@celadon/cel/cost";
import type { DeclType } from "./decl-type.ts";

/** Sizes of data by the limits of its schema. */
export function createSizeEstimator(root: DeclType): SizeEstimator {
  return {
    size({ path }) {
      if (path.length === 0) return undefined;
      let decl: DeclType | undefined = root;
      for (let i = 1; i < path.length && decl !== undefined; i++) decl = stepInto(decl, path[i] as string);
      return decl && range(0, decl.maxElements);
    },
  };
}

function stepInto(decl: DeclType, step: string): DeclType | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return decl.elem;
    case "@keys":
      return decl.key;
    default:
      return decl.fields?.get(step)?.type;
  }
}
