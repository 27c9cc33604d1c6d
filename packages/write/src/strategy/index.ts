// The writing of objects by their kind: `@celadon/write/strategy`.

export { customStrategy } from "./custom-strategy.ts";
export { builtinDeletion, CLEANUP } from "./deletion.ts";
export { loadStrategy } from "./load-strategy.ts";
export type { PolicyHosts } from "./policy-strategy.ts";
export type { Deletion, Strategy } from "./strategy.ts";
export { countsGeneration } from "./traits.ts";
