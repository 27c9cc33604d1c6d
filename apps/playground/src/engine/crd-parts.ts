// The parts of @celadon/crd that the simulator and the strategies of writes use, to be loaded together.

export {
  acceptDefinition,
  CustomResourceType,
  definitionWarnings,
  prepareDefinition,
  readDefinition,
  validateDefinition,
  validateDefinitionUpdate,
} from "@celadon/crd";
export { decodeWrite, prepareWrite, toScale, validateWrite, withReplicas, writeWarnings } from "@celadon/crd/write";
