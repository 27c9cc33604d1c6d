// Namespaces: a finalizer and a phase when they are created; finalize takes finalizers away.

import type { WrittenResource } from "../resource.ts";
import { plainStrategy } from "./plain-strategy.ts";
import type { Strategy } from "./strategy.ts";

export function namespaceStrategy(resource: WrittenResource, subresource: string): Strategy {
  const plain = plainStrategy(resource, subresource);
  return {
    ...plain,
    prepareCreate(object) {
      const { finalizers = [] } = (object.spec ?? {}) as { finalizers?: string[] };
      object.spec = { finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"] };
      object.status = { phase: "Active" };
      return object;
    },
    prepareUpdate(object, old, context) {
      if (subresource === "status") return plain.prepareUpdate(object, old, context);
      if (subresource === "finalize") return { ...object, status: old.status };
      return { ...object, spec: old.spec, status: old.status };
    },
  };
}
