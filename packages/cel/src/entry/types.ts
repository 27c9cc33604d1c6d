// @celadon/cel/types: type providers, which add a host's own types, fields and constants to an environment.

export { composeProviders } from "../types/compose-provider.ts";
export { type HostType, hostValue } from "../types/host-value.ts";
export { createNamedProvider } from "../types/named-provider.ts";
export type { Constant, Field, StructType, TypeProvider } from "../types/provider.ts";
export { type RecordFields, recordProvider } from "../types/record-provider.ts";
export { wellKnownTypes, wellKnownTypesOf } from "../types/well-known.ts";
export { type Adapter, abstractStruct } from "../value/type.ts";
