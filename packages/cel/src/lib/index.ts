// @celadon/cel/lib: the function libraries, each a table of its own, and what rows of such tables need beyond `fn` and `method`.
// A host names the libraries it wants; the others are not bundled.

export { bindingsLibrary } from "./bindings.ts";
export { blockLibrary } from "./block.ts";
export { twoVariableLibrary } from "./comprehensions.ts";
export { encodersLibrary } from "./encoders.ts";
export {
  before,
  boxedResult,
  nonStrict,
  operator,
  specialized,
} from "./library.ts";
export { withCosts } from "./library-costs.ts";
export { listsLibrary } from "./lists.ts";
export { mathLibrary } from "./math.ts";
export { networkLibrary } from "./network.ts";
export { optionalLibrary } from "./optional.ts";
export { protosLibrary } from "./protos.ts";
export { regexLibrary } from "./regex.ts";
export { setsLibrary } from "./sets.ts";
export { numericComparisons, standardLibrary } from "./standard.ts";
export { stringsLibrary } from "./strings.ts";
