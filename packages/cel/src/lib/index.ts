// The function libraries, each a table of its own. A host takes those it wants; what it does not name is not bundled.

export type { CostFormula } from "../cost/formula.ts";
export {
  containment,
  costs,
  elements,
  fixed,
  regexSearch,
  scan,
  scanLesser,
  scanSum,
  withSize,
} from "../cost/formulas.ts";
export { bindingsLibrary } from "./bindings.ts";
export { blockLibrary, blockVariables, indexName } from "./block.ts";
export { twoVariableLibrary } from "./comprehensions.ts";
export { encodersLibrary } from "./encoders.ts";
export {
  boxedResult,
  fn,
  type Library,
  method,
  nonStrict,
  type Overload,
  operator,
  specialized,
  unguarded,
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
