// Data under a structural schema as CEL sees it: declared types, values and sizes. `@celadon/kube-cel/schema`.

export { adapterFor, SchemaAdapter } from "./adapt.ts";
export { type DeclField, type DeclFields, type DeclOptions, type DeclType, declareType } from "./decl-type.ts";
export { escapeName, unescapeName } from "./escape.ts";
export { FORMAT_READERS, type FormatReader } from "./formats.ts";
export { fromKubeSchema } from "./from-kube.ts";
export { createSchemaProvider, type SchemaProviderOptions } from "./provider.ts";
export { type Schema, withResourceMeta } from "./schema.ts";
export { createSizeEstimator } from "./size-estimator.ts";
