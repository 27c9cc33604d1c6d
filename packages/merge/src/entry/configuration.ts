// Apply configurations of mutating policies: `@celadon/merge/configuration`.

export { atomicFields, mergeConfiguration } from "../apply-configuration.ts";
