// The arguments of a macro that are names, and so hide outer names in the arguments after them. Every macro of the Kubernetes environments
// that names something is here (tested): one that is not would let a name escape its scope.

const ONE_NAME: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "filter",
  "map",
  "optMap",
  "optFlatMap",
  "sortBy",
]);

const TWO_NAMES: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "transformList",
  "transformMap",
  "transformMapEntry",
]);

/** The number of first arguments that are names; undefined for a macro that is not known. */
export function namesOfMacro(name: string, arity: number): 1 | 2 | undefined {
  if (arity > 2 && TWO_NAMES.has(name)) return 2;
  return ONE_NAME.has(name) ? 1 : undefined;
}
