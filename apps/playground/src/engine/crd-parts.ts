// What the simulator uses of @celadon/crd, as one part to load.

export { acceptDefinition, CustomResourceType, prepareDefinition, readDefinition } from "@celadon/crd";
export { decodeWrite, finishWrite, prepareWrite, toScale, withReplicas } from "@celadon/crd/write";
