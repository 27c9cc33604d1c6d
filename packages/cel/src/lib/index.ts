// The function libraries, each a table of its own. A host takes those it wants; what it does not name is not bundled.

export { bindingsLibrary } from "./bindings.ts";
export { blockLibrary, blockVariables, indexName } from "./block.ts";
export { twoVariableLibrary } from "./comprehensions.ts";
export { boxedResult, fn, type Library, method, nonStrict, operator, type Overload, specialized, unguarded } from "./library.ts";
export { withCosts } from "./library-costs.ts";
export { listsLibrary } from "./lists.ts";
export { mathLibrary } from "./math.ts";
export { protosLibrary } from "./protos.ts";
export { setsLibrary } from "./sets.ts";
export { encodersLibrary } from "./encoders.ts";
