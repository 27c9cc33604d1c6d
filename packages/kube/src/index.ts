// The names that nearly every program needs: objects, their kinds and metadata, quantities. Each other subject has an entry point of its own:
// `errors`, `status`, `names`, `selectors`, `schemas`, `versions`, `read`, `builtin`, ….

export { type AcceptedResource, inForce, unknownFieldText } from "./accepted.ts";
export {
  apiVersionOf,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupResourceText,
  guessResource,
  gvkOf,
  gvkText,
  gvrText,
  parseGroupVersion,
} from "./gvk.ts";
export {
  annotationsOf,
  type KubeObject,
  labelsOf,
  metadataOf,
  nameOf,
  namespaceOf,
  type ObjectMeta,
  type OwnerReference,
} from "./metadata.ts";
export { isQuantity, parseQuantity, Quantity, quantityOf } from "./quantity/quantity.ts";
export type { QuantityFormat } from "./quantity/suffix.ts";
export { trimSpace } from "./trim-space.ts";
export { readTime, type TimeResult } from "./types/go-time.ts";
export { type PathPattern, type ValueAt, valuesAt } from "./values-at.ts";
