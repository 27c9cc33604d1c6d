// The parts of @celadon/crd that the simulator uses, to be loaded together.

export { acceptDefinition, CustomResourceType, prepareDefinition, readDefinition } from "@celadon/crd";
export { decodeWrite, finishWrite, prepareWrite, toScale, withReplicas } from "@celadon/crd/write";
