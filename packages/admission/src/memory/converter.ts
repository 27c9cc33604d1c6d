// Conversion that changes only the apiVersion: a CustomResourceDefinition with strategy None does this, and it is right for built-in kinds
// whose versions have the same fields.

import { apiVersionOf, type GroupVersionKind, type KubeObject } from "@celadon/kube";
import type { Converter } from "../hosts.ts";

/** Converts by changing apiVersion and nothing else. Throws when the kinds differ. */
export function createConverter(): Converter {
  return {
    convert: (object: KubeObject, to: GroupVersionKind): KubeObject => {
      if (object.kind !== to.kind) throw new Error(`cannot convert ${String(object.kind)} to ${to.kind}`);
      return { ...object, apiVersion: apiVersionOf(to) };
    },
  };
}
