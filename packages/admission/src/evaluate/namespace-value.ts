// `namespaceObject`: a Namespace without the parts of its metadata that expressions are not shown, in the JSON Go would write.

import { type KubeObject, metadataOf } from "@celadon/kube";

const SHOWN = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
] as const;

/** `full` is what audit annotations are given: upstream does not take anything away there. */
export function namespaceValue(namespace: KubeObject): { readonly value: unknown; readonly full: unknown } {
  const metadata = metadataOf(namespace);
  const shown: Record<string, unknown> = {};
  for (const field of SHOWN)
    if (Object.hasOwn(metadata, field) && !isEmpty(metadata[field])) shown[field] = metadata[field];
  const spec = partOf(namespace, "spec");
  const status = partOf(namespace, "status");
  return { value: { metadata: shown, spec, status }, full: { metadata, spec, status } };
}

function partOf(namespace: KubeObject, field: "spec" | "status"): unknown {
  const part = Object.hasOwn(namespace, field) ? namespace[field] : undefined;
  return part ?? {};
}

// Whether omitempty leaves the value out.
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
