// @celadon/crd/write: the steps of a write of a custom resource, one by one, for programs with steps of their own in between.

export { type ScaleSubresource, toScale, withReplicas } from "../object/scale.ts";
export {
  decodeWrite,
  type FinishedWrite,
  finishWrite,
  prepareWrite,
  strictStatus,
  validateWrite,
  type Write,
  writeWarnings,
} from "../write.ts";
