// Facts about built-in types beyond their published schemas, for making objects that an API server accepts: `@celadon/kube/facts`.

export { type Facts, factsOf, type LimitingSchema } from "./builtin-facts.ts";
export { both, type RefinedSchema, refine, withBranches } from "./refine.ts";
