// Built-in objects that are served in two versions: autoscalers and events.

import type { KubeObject } from "@celadon/kube";
import type { DecodeKind } from "@celadon/kube/types";

export function convertBuiltin(object: KubeObject, to: DecodeKind): KubeObject {
  return { ...object, apiVersion: to.apiVersion, kind: to.kind };
}
